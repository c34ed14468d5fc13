import type { IncomingMessage } from 'node:http'

export const ASSISTANT_PATH = '/_octavo/assistant/'
export const MCP_PATH = '/mcp'

/** What answers a request, for metrics. */
export type HostRoute = 'site' | 'assistant' | 'mcp'

export function routeOf({ url = '' }: IncomingMessage): HostRoute {
  if (url.includes(ASSISTANT_PATH)) return 'assistant'
  return url.endsWith(MCP_PATH) ? 'mcp' : 'site'
}
