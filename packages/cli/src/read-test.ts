import type { CommandLine } from './command-line.ts'
import type { NetworkOptions } from './commands/specification-fetcher.ts'

type Written = {
  readonly env?: readonly string[] | undefined
  readonly format?: string | undefined
  readonly output?: string | undefined
  readonly junit?: string | undefined
}

/** Reads the arguments of `octavo test`. */
export function readTest(
  values: Written,
  [folder = '.', extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  const wrong = (reason: string) => ({ kind: 'wrong', reason, command: 'test' }) as const
  if (extra !== undefined) return wrong(`Unexpected argument "${extra}".`)
  const pairs = (values.env ?? []).map((pair) => /^([A-Za-z_]\w*)=(.*)$/s.exec(pair))
  const env: Record<string, string> = {}
  for (const pair of pairs) {
    const [, name, value] = pair ?? []
    if (name === undefined || value === undefined)
      return wrong('Invalid --env: expected a name and a value, such as API_KEY=test.')
    env[name] = value
  }
  const { format = 'text', output, junit } = values
  if (format !== 'text' && format !== 'github')
    return wrong(`Invalid --format "${format}": expected text or github.`)
  return { kind: 'test', options: { folder, env, format, output, junit, ...network } }
}
