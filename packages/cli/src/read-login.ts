import type { CommandLine } from './command-line.ts'
import { readServiceUrl, URL_DEFAULT } from './read-service-options.ts'

type LoginValues = { readonly service?: string | undefined; readonly json?: boolean | undefined }

/**
 * Reads the arguments of `octavo login`, `logout` and `whoami`, which take a service but no
 * project.
 */
export function readLogin(
  kind: 'login' | 'logout' | 'whoami',
  { service: option, json = false }: LoginValues,
  words: readonly string[],
): CommandLine {
  const wrong = (reason: string) => ({ kind: 'wrong', reason, command: kind }) as const
  const [written = URL_DEFAULT, extra] = option === undefined ? words : [option, ...words]
  if (extra !== undefined) return wrong(`Unexpected argument "${extra}".`)
  const service = readServiceUrl(written)
  if (service === undefined)
    return wrong(`Invalid service "${written}": expected a URL such as ${URL_DEFAULT}.`)
  return { kind, options: { service, json } }
}
