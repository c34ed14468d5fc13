/** Paths that the service handles on every site, below the site's base path. */
export const ASSISTANT_PATH = '/_octavo/assistant/'
export const MCP_PATH = '/mcp'
