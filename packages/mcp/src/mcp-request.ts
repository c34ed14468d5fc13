/** The request headers that affect the response. */
export const MCP_HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
] as const

export type McpHeaders = Readonly<Partial<Record<(typeof MCP_HEADERS)[number], string>>>

/** A POST request without its body. */
export type McpRequest = { readonly url: string; readonly headers: McpHeaders }

export type McpAnswer = { readonly status: number; readonly body: string }
