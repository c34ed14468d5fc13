import type { CommandLine } from './command-line.ts'
import type { NetworkOptions } from './commands/specification-fetcher.ts'
import { readServiceOptions } from './read-service-options.ts'
import { unknownSubcommand } from './unknown-subcommand.ts'

const FAIL_ON_CHANGES = ['breaking', 'additive', 'none'] as const
/** The changes that fail `octavo api diff`: `additive` also includes breaking ones. */
export type FailOnChanges = (typeof FAIL_ON_CHANGES)[number]

type Written = {
  readonly json?: boolean | undefined
  readonly all?: boolean | undefined
  readonly 'fail-on'?: string | undefined
  readonly project?: string | undefined
  readonly service?: string | undefined
}

/** Reads the arguments of `octavo api`. */
export function readApi(
  values: Written,
  [verb, old, added, extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  const wrong = (reason: string) => ({ kind: 'wrong', reason, command: 'api' }) as const
  if (verb !== 'diff') {
    return wrong(verb === undefined ? 'Missing subcommand: diff.' : unknownSubcommand('api', verb))
  }
  if (old === undefined || added === undefined)
    return wrong('Missing arguments: the old and the new specification.')
  if (extra !== undefined) return wrong(`Unexpected argument "${extra}".`)
  const { json = false, all = false, 'fail-on': written = 'none' } = values
  const failOn = FAIL_ON_CHANGES.find((level) => level === written)
  if (failOn === undefined)
    return wrong(`Invalid --fail-on "${written}": expected ${FAIL_ON_CHANGES.join(', ')}.`)
  const options = { old, new: added, json, all, failOn, ...network }
  if ((values.project ?? values.service) === undefined) return { kind: 'api', options }
  const service = readServiceOptions(values)
  return typeof service === 'string'
    ? wrong(service)
    : { kind: 'api', options: { ...options, service } }
}
