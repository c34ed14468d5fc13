import { formatPlace, printable } from '@octavo/model'
import {
  type ApiChange,
  CHANGE_LEVELS,
  type ChangeLevel,
  compareVersions,
  type SpecificationChanges,
  type SpecificationVersion,
} from '@octavo/openapi'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import type { FailOnChanges } from '../read-api.ts'
import { type Colors, colorsFor } from '../report/colors.ts'
import { plural } from '../report/plural.ts'
import type { NetworkOptions } from './specification-fetcher.ts'

export type ApiDiffOptions = NetworkOptions & {
  readonly verb: 'diff'
  readonly old: string
  readonly new: string
  readonly json: boolean
  /** True to list all changes of the documentation. */
  readonly all: boolean
  readonly failOn: FailOnChanges
}

/** Returns a version, or an error message. */
export type ReadVersion = (written: string) => Promise<SpecificationVersion | string>

/** `octavo api diff`: lists what changed between two versions of an API, and whom it breaks. */
export async function apiDiff(
  world: CommandContext,
  options: ApiDiffOptions,
  read: ReadVersion,
): Promise<ExitCode> {
  const fail = (message: string) => {
    world.err.write(`octavo: ${message}\n`)
    return EXIT.usage
  }
  const old = await read(options.old)
  if (typeof old === 'string') return fail(old)
  const added = await read(options.new)
  if (typeof added === 'string') return fail(added)
  if (old.isFolder !== added.isFolder) {
    return fail('One is a file and the other a folder. Compare two files or two folders.')
  }
  const changes: NamedChange[] = []
  for (const { file, changes: found, problem } of compareVersions(old, added)) {
    if (problem !== undefined) return fail(unreadable(file, problem, options))
    changes.push(...found.map((change) => ({ file: old.isFolder ? file : '', ...change })))
  }
  const counts = countLevels(changes)
  if (options.json) world.out.write(`${JSON.stringify({ counts, changes }, null, 2)}\n`)
  else
    world.out.write(
      printChanges(changes, { all: options.all, colors: colorsFor(world.out, world.env) }),
    )
  const isFailed =
    options.failOn !== 'none' &&
    (counts.breaking > 0 || (options.failOn === 'additive' && counts.additive > 0))
  return isFailed ? EXIT.problems : EXIT.ok
}

type NamedChange = ApiChange & { readonly file: string }

function unreadable(
  file: string,
  { side, reason }: NonNullable<SpecificationChanges['problem']>,
  options: ApiDiffOptions,
): string {
  const written = options[side]
  const place = written.endsWith(file) ? written : `${written.replace(/\/$/, '')}/${file}`
  return `"${place}" cannot be read${reason === '' ? '.' : `: ${reason}`}`
}

function countLevels(changes: readonly ApiChange[]): Readonly<Record<ChangeLevel, number>> {
  const count = (level: ChangeLevel) => changes.filter((change) => change.level === level).length
  return {
    breaking: count('breaking'),
    additive: count('additive'),
    documentation: count('documentation'),
  }
}

/** The number of changes of the documentation that are listed without --all. */
const DOCUMENTATION_MAX = 5
/** The number of operations that one line names. */
const OPERATIONS_MAX = 3

type Printed = { readonly all: boolean; readonly colors: Colors }

function printChanges(changes: readonly NamedChange[], { all, colors }: Printed): string {
  if (changes.length === 0) return 'No changes.\n'
  const paint = { breaking: colors.red, additive: colors.green, documentation: colors.dim }
  const blocks = CHANGE_LEVELS.flatMap((level) => {
    const found = changes.filter((change) => change.level === level)
    const max = all || level !== 'documentation' ? found.length : DOCUMENTATION_MAX
    const lines = found
      .slice(0, max)
      .map(
        (change) =>
          `${paint[level](level)}  ${formatPlace(change.place)}  ${change.rule}\n  ${printOperations(change)}${printable(change.message)}\n`,
      )
    const more = found.length - max
    return more > 0
      ? [...lines, `${plural(more, 'more change')} of the documentation: use --all to list them.\n`]
      : lines
  })
  const counts = countLevels(changes)
  const summary = `${counts.breaking} breaking, ${counts.additive} additive, ${plural(counts.documentation, 'change')} of the documentation.`
  return `${blocks.join('\n')}\n${colors.bold(summary)}\n`
}

function printOperations({ operations }: ApiChange): string {
  if (operations.length === 0) return ''
  const more = operations.length - OPERATIONS_MAX
  const named = operations.slice(0, OPERATIONS_MAX).map(printable).join(', ')
  return `${named}${more > 0 ? ` and ${more} more` : ''}: `
}
