import { isIP } from 'node:net'
import type { DomainDirectory } from './domain-directory.ts'

export const ASK_PATH = '/internal/tls-ask'

type Answer = readonly [status: number, text: string]

/**
 * Whether a server in front may order a certificate for a name, as Caddy asks before each new one. Only
 * for domains of owners whose proof was seen: slugs and previews use the wildcard certificate of the
 * operator, since each certificate publishes its name.
 */
export function answerAsk(directory: DomainDirectory, url: string): Answer {
  const query = url.slice(ASK_PATH.length)
  const names = query.startsWith('?') ? new URLSearchParams(query).getAll('domain') : []
  const [name] = names
  if (names.length !== 1 || name === undefined)
    return [400, `Expected one name: ${ASK_PATH}?domain=docs.example.com.\n`]
  if (!directory.isLoaded()) return [503, 'The domains are not loaded yet.\n']
  if (isIP(name) !== 0 || directory.find(name) === undefined)
    return [404, 'No site is served at this domain.\n']
  return [200, 'ok\n']
}
