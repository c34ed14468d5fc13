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
import { BASELINE_FILE, builderVersion, type CheckResult, checkSite } from '@octavo/builder'
import type { Diagnostic } from '@octavo/model'
import type { Format } from '../command-line.ts'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { countSeverities, hasProblems } from '../report/count-severities.ts'
import { plural } from '../report/plural.ts'
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
  /** Prints nothing if there are no problems. */
  readonly quiet: boolean
  /** Ignores the compiled output of earlier runs. */
  readonly withoutCache: boolean
  /** Requests linked pages on other sites to see if they exist. */
  readonly external: boolean
  /** Applies safe fixes without a prompt. */
  readonly fix: boolean
  /** Records what is found in the baseline file, so that later runs report only what is new. */
  readonly writeBaseline: boolean
}

/** `octavo check`: reports every mistake with its place, its reason and a hint. */
export async function check(world: CommandContext, options: CheckOptions): Promise<ExitCode> {
  const folder = resolve(world.cwd, options.folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    world.err.write(`octavo: the folder "${options.folder}" does not exist.\n`)
    return EXIT.usage
  }
  if (options.withoutCache) clearCache(folder)
  const cache = openCacheFolder(folder)
  try {
    let result = await runCheck(world, { folder, cacheFolder: cache.path, options })
    if (options.fix) {
      const fixed = applyFixes(folder, result.diagnostics)
      world.err.write(
        `${plural(fixed.count, 'problem')} fixed in ${plural(fixed.files, 'file')}.\n`,
      )
      if (fixed.count > 0) {
        result = await runCheck(world, { folder, cacheFolder: cache.path, options })
      }
    }
    if (options.writeBaseline && result.site !== undefined)
      return writeBaseline(world, folder, result)
    const diagnostics = withNotFoundHint(result.diagnostics, { folder, cwd: world.cwd })
    print(world, options, { ...result, diagnostics })
    return exitCodeOf(result.diagnostics, options)
  } finally {
    cache.close()
  }
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
    // This is the author's own folder on the author's own machine.
    isTrusted: true,
    fetcher: createFetcher(world, { ...options, folder }),
    ...(options.external ? external : {}),
    withoutBaseline: options.writeBaseline,
  })
}

function writeBaseline(world: CommandContext, folder: string, result: CheckResult): ExitCode {
  const { error, warning } = countSeverities(result.diagnostics)
  writeFileSync(join(folder, BASELINE_FILE), result.printBaseline())
  world.out.write(
    `${BASELINE_FILE} has ${plural(error, 'error')} and ${plural(warning, 'warning')}. From now on, only new ones are reported. Commit the file.\n`,
  )
  return EXIT.ok
}

function exitCodeOf(diagnostics: readonly Diagnostic[], { strict }: CheckOptions): ExitCode {
  if (diagnostics.some(({ code }) => code === 'config/not-found')) return EXIT.usage
  const { error, warning } = countSeverities(diagnostics)
  return error > 0 || (strict && warning > 0) ? EXIT.problems : EXIT.ok
}

function print(world: CommandContext, options: CheckOptions, result: CheckResult): void {
  const { diagnostics, pageCount, suppressedCount, knownCount, fixedCount, read } = result
  const { all, strict } = options
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
          read,
        })
      break
    case 'json': {
      const counts = countSeverities(diagnostics)
      const report = { pageCount, counts, suppressedCount, knownCount, fixedCount, diagnostics }
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
