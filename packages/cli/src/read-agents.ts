import type { CommandLine } from './command-line.ts'
import type { NetworkOptions } from './commands/specification-fetcher.ts'
import { readServiceUrl } from './read-service-options.ts'

type Written = {
  readonly url?: string | undefined
  readonly scope?: string | undefined
  readonly network: NetworkOptions
}

/**
 * Reads the options of `octavo mcp` and `octavo agents-md`, which serve a folder to coding agents.
 */
export function readAgents(
  command: 'mcp' | 'agents-md',
  { url, scope, network }: Written,
  [folder = '.', extra]: readonly string[],
): CommandLine {
  const wrong = (reason: string) => ({ kind: 'wrong', reason, command }) as const
  if (extra !== undefined) return wrong(`Unexpected argument "${extra}".`)
  if (command === 'mcp') return { kind: 'mcp', options: { folder, scope: undefined, ...network } }
  const site = url === undefined ? undefined : readServiceUrl(url)
  if (url !== undefined && site === undefined)
    return wrong('Invalid --url: expected the URL of the site, such as https://example.com/docs/.')
  return { kind: 'agents-md', options: { folder, scope, url: site?.href, ...network } }
}
