import type { CommandLine } from './command-line.ts'
import type { NetworkOptions } from './commands/specification-fetcher.ts'
import type { ApiOptions } from './deploy/api.ts'
import { readServiceOptions } from './read-service-options.ts'
import { unknownSubcommand } from './unknown-subcommand.ts'

const FAIL_ON_CHANGES = ['breaking', 'additive', 'none'] as const
/** The changes that fail `octavo api diff`: `additive` also includes breaking ones. */
export type FailOnChanges = (typeof FAIL_ON_CHANGES)[number]

type Written = {
  readonly json?: boolean | undefined
  readonly all?: boolean | undefined
  readonly 'fail-on'?: string | undefined
  readonly out?: string | undefined
  readonly write?: boolean | undefined
  readonly project?: string | undefined
  readonly service?: string | undefined
}

/** Reads the arguments of `octavo api`. */
export function readApi(
  values: Written,
  [verb, ...rest]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  const wrong = (reason: string) => ({ kind: 'wrong', reason, command: 'api' }) as const
  if (verb === undefined) return wrong('Missing subcommand: diff or changelog.')
  if (verb !== 'diff' && verb !== 'changelog') return wrong(unknownSubcommand('api', verb))
  const [, , extra] = rest
  if (extra !== undefined) return wrong(`Unexpected argument "${extra}".`)
  const options =
    verb === 'diff' ? readDiff(values, rest, network) : readChangelog(values, rest, network)
  if (typeof options === 'string') return wrong(options)
  if ((values.project ?? values.service) === undefined) return { kind: 'api', options }
  const service = readServiceOptions(values)
  return typeof service === 'string'
    ? wrong(service)
    : { kind: 'api', options: { ...options, service } }
}

function readDiff(
  { json = false, all = false, 'fail-on': written = 'none' }: Written,
  [old, added]: readonly string[],
  network: NetworkOptions,
): ApiOptions | string {
  if (old === undefined || added === undefined)
    return 'Missing arguments: the old and the new specification.'
  const failOn = FAIL_ON_CHANGES.find((level) => level === written)
  if (failOn === undefined)
    return `Invalid --fail-on "${written}": expected ${FAIL_ON_CHANGES.join(', ')}.`
  return { verb: 'diff', old, new: added, json, all, failOn, ...network }
}

function readChangelog(
  { out: page = 'api-changelog', write = false }: Written,
  [old, folder = '.']: readonly string[],
  network: NetworkOptions,
): ApiOptions | string {
  if (old === undefined) return 'Missing argument: the version to compare with.'
  return { verb: 'changelog', old, folder, page, write, ...network }
}
