/** The request headers that can affect the response. */
export const MCP_HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
] as const

export type McpHeaders = Readonly<Partial<Record<(typeof MCP_HEADERS)[number], string>>>

/** The URL and the headers of a POST request. */
export type McpRequest = { readonly url: string; readonly headers: McpHeaders }

export type McpAnswer = { readonly status: number; readonly body: string }
