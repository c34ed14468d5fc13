import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  BASELINE_FILE,
  builderVersion,
  type CheckResult,
  checkSite,
  readGitChanges,
} from '@octavo/builder'
import { type Diagnostic, formatPlace } from '@octavo/model'
import type { Format } from '../command-line.ts'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { countSeverities, hasProblems } from '../report/count-severities.ts'
import { groupCopies } from '../report/group-copies.ts'
import { plural } from '../report/plural.ts'
import { printChanges } from '../report/print-changes.ts'
import { printGithub } from '../report/print-github.ts'
import { printReport } from '../report/print-report.ts'
import { printSarif } from '../report/print-sarif.ts'
import { applyFixes } from './apply-fixes.ts'
import { withNotFoundHint } from './not-found-hint.ts'
import { createFetcher, type NetworkOptions } from './specification-fetcher.ts'
import { clearCache, workFolder } from './work-folder.ts'

export type CheckOptions = NetworkOptions & {
  readonly folder: string
  readonly format: Format
  readonly strict: boolean
  readonly all: boolean
  /** True to print nothing if there are no problems. */
  readonly quiet: boolean
  /** True to ignore the compiled output of earlier runs. */
  readonly withoutCache: boolean
  /** True to request linked pages on other sites, to check that they exist. */
  readonly external: boolean
  /** True to apply safe fixes, without a prompt. */
  readonly fix: boolean
  /** True to record the findings in the baseline file, so that later runs only report new ones. */
  readonly writeBaseline: boolean
  /** A Git ref, to report only findings that the changes since then have caused. */
  readonly since: string | undefined
}

/** `octavo check`: reports every mistake with its place, its reason and a hint. */
export async function check(world: CommandContext, options: CheckOptions): Promise<ExitCode> {
  const folder = resolve(world.cwd, options.folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    world.err.write(`octavo: the folder "${options.folder}" does not exist.\n`)
    return EXIT.usage
  }
  if (options.since !== undefined && readGitChanges(folder, options.since) === undefined) {
    world.err.write(
      `octavo: Git has no commit "${options.since}" here. Fetch the commit first, or use a branch, tag or commit that is in \`git log\`.\n`,
    )
    return EXIT.usage
  }
  if (options.withoutCache) clearCache(folder)
  const cache = openCacheFolder(folder)
  try {
    const run = () => runCheck(world, { folder, cacheFolder: cache.path, options })
    const result = options.fix
      ? await fixAll(world, { folder, all: options.all, run })
      : await run()
    if (options.writeBaseline && result.site !== undefined)
      return writeBaseline(world, folder, result)
    const diagnostics = withNotFoundHint(result.diagnostics, { folder, cwd: world.cwd })
    print(world, options, { ...result, diagnostics })
    return exitCodeOf(result.diagnostics, options)
  } finally {
    cache.close()
  }
}

/**
 * The maximum number of rounds: a fix can contain or reveal others, which the next round applies.
 */
const FIX_ROUNDS_MAX = 10

/** Applies fixes until none is left, and returns the result of the last check. */
async function fixAll(
  world: CommandContext,
  {
    folder,
    all,
    run,
  }: { readonly folder: string; readonly all: boolean; readonly run: () => Promise<CheckResult> },
): Promise<CheckResult> {
  const colors = colorsFor(world.err, world.env)
  const files = new Set<string>()
  let result = await run()
  let count = 0
  for (let round = 0; round < FIX_ROUNDS_MAX; round += 1) {
    const fixed = applyFixes(folder, result.diagnostics)
    if (fixed.length === 0) break
    world.err.write(printChanges(fixed, { all, colors }))
    for (const one of fixed) {
      files.add(one.file)
      count += one.count
    }
    result = await run()
  }
  world.err.write(`${plural(count, 'problem')} fixed in ${plural(files.size, 'file')}.\n`)
  return result
}

function runCheck(
  world: CommandContext,
  {
    folder,
    cacheFolder,
    options,
  }: { readonly folder: string; readonly cacheFolder: string; readonly options: CheckOptions },
): Promise<CheckResult> {
  const external = {
    external: {
      cacheFile: join(cacheFolder, 'external-links.json'),
      nowMs: world.clock.now(),
      allowPrivateHosts: options.allowPrivateHosts,
    },
  }
  return checkSite({
    folder,
    cacheFolder,
    version: builderVersion(),
    // The folder is trusted: it belongs to the author who runs the command.
    isTrusted: true,
    fetcher: createFetcher(world, { ...options, folder }),
    ...(options.external ? external : {}),
    withoutBaseline: options.writeBaseline,
    // The changes are read at each run, because fixes change lines.
    changes: options.since === undefined ? undefined : readGitChanges(folder, options.since),
  })
}

function writeBaseline(world: CommandContext, folder: string, result: CheckResult): ExitCode {
  const { error, warning } = countSeverities(result.diagnostics)
  writeFileSync(join(folder, BASELINE_FILE), result.printBaseline())
  world.out.write(
    `${BASELINE_FILE} has ${plural(error, 'error')} and ${plural(warning, 'warning')}. From now on, only new problems are reported. Commit the file.\n`,
  )
  return EXIT.ok
}

function exitCodeOf(diagnostics: readonly Diagnostic[], { strict }: CheckOptions): ExitCode {
  if (diagnostics.some(({ code }) => code === 'config/not-found')) return EXIT.usage
  const { error, warning } = countSeverities(diagnostics)
  return error > 0 || (strict && warning > 0) ? EXIT.problems : EXIT.ok
}

function print(world: CommandContext, options: CheckOptions, result: CheckResult): void {
  const { diagnostics, pageCount, read } = result
  const { suppressedCount, knownCount, fixedCount, otherCount } = result
  const { all, strict, since } = options
  switch (options.format) {
    case 'text':
      if (!options.quiet || hasProblems(diagnostics))
        printReport(world, {
          diagnostics,
          pageCount,
          all,
          strict,
          suppressedCount,
          knownCount,
          fixedCount,
          otherCount,
          since,
          read,
        })
      break
    case 'json': {
      const counts = countSeverities(diagnostics)
      const hidden = { suppressedCount, knownCount, fixedCount, otherCount }
      const report = { pageCount, counts, ...hidden, diagnostics: withCopies(diagnostics) }
      world.out.write(`${JSON.stringify(report, null, 2)}\n`)
      break
    }
    case 'github':
      world.out.write(printGithub(diagnostics, options.folder))
      break
    case 'sarif':
      world.out.write(printSarif(diagnostics, options.folder))
      break
  }
}

/** Adds the place of the first finding to its copies in other versions and languages. */
function withCopies(diagnostics: readonly Diagnostic[]) {
  const firsts = new Map(
    groupCopies(diagnostics).flatMap(({ first, copies }) =>
      copies.map((copy) => [copy, formatPlace(first.place)] as const),
    ),
  )
  return diagnostics.map((one) => (firsts.has(one) ? { ...one, copyOf: firsts.get(one) } : one))
}

/** Opens the build cache, or a temporary one if the folder is read-only. */
function openCacheFolder(folder: string): { readonly path: string; readonly close: () => void } {
  const path = workFolder(folder, 'cache')
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.W_OK)
    return { path, close: () => {} }
  } catch {
    const own = mkdtempSync(join(tmpdir(), 'octavo-check-'))
    return { path: own, close: () => rmSync(own, { recursive: true, force: true }) }
  }
}
