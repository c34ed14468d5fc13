/** Paths of the service on every site, below its base path. */
export const ASSISTANT_PATH = '/_octavo/assistant/'
export const MCP_PATH = '/mcp'
