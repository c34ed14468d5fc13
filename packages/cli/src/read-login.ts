import type { CommandLine } from './command-line.ts'
import { readServiceUrl, URL_DEFAULT } from './read-service-options.ts'

type LoginValues = { readonly service?: string | undefined; readonly json?: boolean | undefined }

/** Reads `octavo login`, `logout` and `whoami`, which take a service but no project. */
export function readLogin(
  kind: 'login' | 'logout' | 'whoami',
  { service: written = URL_DEFAULT, json = false }: LoginValues,
  [extra]: readonly string[],
): CommandLine {
  const wrong = (reason: string) => ({ kind: 'wrong', reason, command: kind }) as const
  if (extra !== undefined) return wrong(`Unexpected argument "${extra}".`)
  const service = readServiceUrl(written)
  if (service === undefined)
    return wrong(`Invalid --service: expected a URL such as ${URL_DEFAULT}.`)
  return { kind, options: { service, json } }
}
