import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BuildProgress, BuildResult } from '@octavo/builder'
import { builderVersion, buildSite } from '@octavo/builder/build'
import { formatCount } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { countSeverities, hasProblems } from '../report/count-severities.ts'
import { plural } from '../report/plural.ts'
import { printReport } from '../report/print-report.ts'
import { withNotFoundHint } from './not-found-hint.ts'
import { pathWithin } from './path-within.ts'
import { createFetcher, type NetworkOptions } from './specification-fetcher.ts'
import { clearCache, workFolder } from './work-folder.ts'

export type BuildOptions = NetworkOptions & {
  readonly folder: string
  readonly output: string
  readonly json: boolean
  readonly strict: boolean
  readonly all: boolean
  /** Prints only problems. */
  readonly quiet: boolean
  /** Ignores the compiled output of earlier runs. */
  readonly withoutCache: boolean
  /** The site's URL, for the sitemap, canonical links and the base path. */
  readonly url: string | undefined
  readonly workersMax: number | undefined
}

/** `octavo build`: builds the folder into a static site. */
export async function build(world: CommandContext, options: BuildOptions): Promise<ExitCode> {
  const folder = resolve(world.cwd, options.folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    world.err.write(`octavo: the folder "${options.folder}" does not exist.\n`)
    return EXIT.usage
  }
  const output = resolve(world.cwd, options.output)
  // Source files and output files can have the same name, such as start.md.
  if (pathWithin(output, { target: folder }) !== undefined) {
    world.err.write(
      `octavo: the site cannot be written to "${options.output}": that folder contains its source.\n`,
    )
    return EXIT.usage
  }
  if (options.withoutCache) clearCache(folder)
  const started = world.clock.now()
  const progress = new Progress(world)
  const { url: siteUrl, workersMax } = options
  const built = await buildSite({
    folder,
    output,
    cacheFolder: workFolder(folder, 'cache'),
    version: builderVersion(),
    // The folder is trusted: it belongs to the author who runs the command.
    isTrusted: true,
    fetcher: createFetcher(world, { ...options, folder, recordsFonts: true }),
    onProgress: (at) => progress.show(at),
    ...(siteUrl === undefined ? {} : { siteUrl }),
    ...(workersMax === undefined ? {} : { workersMax }),
  })
  progress.clear()
  const diagnostics = withNotFoundHint(built.diagnostics, { folder, cwd: world.cwd })
  const result = { ...built, diagnostics }
  const seconds = (world.clock.now() - started) / 1_000
  if (options.json) printJson(world, result, seconds)
  else printText(world, { result, seconds, folder, options })
  if (!result.isLoaded) return EXIT.usage
  const { error, warning } = countSeverities(result.diagnostics)
  return error > 0 || (options.strict && warning > 0) ? EXIT.problems : EXIT.ok
}

function printJson(world: CommandContext, result: BuildResult, seconds: number): void {
  const { isLoaded: _, hasFailedPages: __, ...facts } = result
  const counts = countSeverities(result.diagnostics)
  world.out.write(`${JSON.stringify({ ...facts, counts, seconds }, null, 2)}\n`)
}

function printText(
  world: CommandContext,
  built: {
    readonly result: BuildResult
    readonly seconds: number
    readonly folder: string
    readonly options: BuildOptions
  },
): void {
  const { result, seconds, folder, options } = built
  const { diagnostics, suppressedCount, knownCount, fixedCount, pageCount } = result
  if (options.quiet && !hasProblems(diagnostics)) return
  printReport(world, {
    diagnostics,
    suppressedCount,
    knownCount,
    fixedCount,
    pageCount,
    all: options.all,
    strict: options.strict,
    read: (file) => readSource(join(folder, file)),
  })
  if (!result.isLoaded || options.quiet) return
  const { dim } = colorsFor(world.out, world.env)
  const cached = pageCount - result.compiledCount
  const facts = [
    `${plural(result.compiledCount, 'page')} compiled`,
    ...(cached > 0 ? [`${formatCount(cached)} unchanged`] : []),
    `${plural(result.outputCount, 'file')} in ${options.output}`,
    `${formatCount(result.writtenCount)} written`,
    ...(result.removedCount > 0 ? [`${formatCount(result.removedCount)} removed`] : []),
    `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`,
  ]
  world.out.write(`${dim(facts.join(', '))}\n`)
  for (const line of nextSteps(result.publicUrl, options)) world.out.write(`${dim(line)}\n`)
}

/** Returns hints on how to view the site and which settings are missing. */
function nextSteps(publicUrl: string | undefined, { output }: BuildOptions): readonly string[] {
  const folder = output === 'dist' ? '' : ` ${/\s/.test(output) ? JSON.stringify(output) : output}`
  const next = `Next: \`octavo preview${folder}\` serves it locally.`
  if (publicUrl === undefined) {
    const missing = 'the sitemap, canonical links and social cards are omitted'
    return [next, `Without --url, ${missing}: \`octavo build --url https://docs.example.com\`.`]
  }
  const { pathname } = new URL(publicUrl)
  return pathname === '/'
    ? [next]
    : [next, `The site is built for ${publicUrl}/: serve it under ${pathname}/.`]
}

function readSource(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // If the file cannot be read, the message is printed without an excerpt.
    return undefined
  }
}

/** A progress line that overwrites itself a few times a second, on a terminal only. */
class Progress {
  readonly #world: CommandContext
  #lastShown = 0

  constructor(world: CommandContext) {
    this.#world = world
  }

  show({ done, total }: BuildProgress): void {
    if (!this.#world.err.isTTY) return
    const now = this.#world.clock.now()
    if (now - this.#lastShown < 100) return
    this.#lastShown = now
    this.#world.err.write(`\r\u001b[K${formatCount(done)} of ${plural(total, 'page')}`)
  }

  clear(): void {
    if (this.#world.err.isTTY && this.#lastShown > 0) this.#world.err.write('\r\u001b[K')
  }
}
