import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readFolder } from '@octavo/builder'
import { formatDiagnostic, isHosted, printable } from '@octavo/model'
import { parseSpecification, scrapedNavigation, scrapePages } from '@octavo/openapi'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { countSeverities } from '../report/count-severities.ts'
import { plural } from '../report/plural.ts'
import { documentationRoot } from './documentation-root.ts'
import { pathWithin } from './path-within.ts'
import { readScrapeSource } from './scrape-source.ts'
import type { NetworkOptions } from './specification-fetcher.ts'

export type ScrapeOptions = NetworkOptions & {
  readonly specification: string
  /** The output folder; the working directory by default. */
  readonly output: string
  readonly overwrite: boolean
}

/**
 * `octavo scrape openapi-file`: writes an MDX file for each operation and prints navigation to
 * paste.
 */
export async function scrape(world: CommandContext, options: ScrapeOptions): Promise<ExitCode> {
  const output = resolve(world.cwd, options.output)
  const configured = documentationRoot(output)
  const isBelow = pathWithin(world.cwd, { target: output }) !== undefined
  const root = configured ?? (isBelow ? world.cwd : output)
  const hasConfig = configured !== undefined
  const found = await readScrapeSource(world, { ...options, root, hasConfig, output })
  if (found.kind === 'failed') {
    world.err.write(`${found.reason}\n`)
    return found.exitCode
  }
  const { text, path: source, copyTo } = found
  const name = copyTo === undefined ? source : options.specification
  // Only files of the documentation stay where they are, and with them those that they refer to.
  const read = copyTo === undefined && !isHosted(source) ? readFolder(root).read : undefined
  const { specification, diagnostics } = parseSpecification(name, text, { read })
  const problems = diagnostics.filter(({ severity }) => severity === 'error')
  if (specification === undefined) {
    world.err.write(`${problems.map(formatDiagnostic).join('\n\n')}\n`)
    return EXIT.problems
  }
  if (found.warning !== undefined) world.err.write(`${found.warning}\n`)
  if (copyTo !== undefined && !copySpecification(world, { text, copyTo, ...options })) {
    return EXIT.problems
  }
  const folder = pathWithin(root, { target: output }) ?? ''
  const { pages, hidden, moved } = scrapePages(specification, { source, folder })
  const written = writePages(pages, output, options.overwrite)
  const { dim, green, yellow } = colorsFor(world.out, world.env)
  for (const [mark, paths] of [
    [green('created'), written.created],
    [yellow('replaced'), written.replaced],
    [yellow('skipped'), written.kept],
  ] as const) {
    for (const path of paths) world.out.write(`${mark}  ${shownPath(world.cwd, path)}\n`)
  }
  for (const name of hidden) world.out.write(`${dim('hidden')}  ${name}\n`)
  const navigation = scrapedNavigation(pages, folder)
  world.out.write(
    `\n${plural(pages.length, 'page')}. Add this to \`pages\` in docs.json:\n\n${JSON.stringify(navigation, null, 2)}\n`,
  )
  if (moved.length > 0) {
    const lines = moved.map(
      ({ name, from, to }) => `  ${printable(`${name}: ${from} is now ${to}`)}\n`,
    )
    world.err.write(
      `\n\`x-svc.href\` points outside the folder of the pages, so these URLs change:\n${lines.join('')}Move the file, or add a redirect to docs.json.\n`,
    )
  }
  if (written.kept.length > 0) {
    world.err.write(
      `\n${plural(written.kept.length, 'file')} already ${written.kept.length === 1 ? 'exists' : 'exist'} and ${written.kept.length === 1 ? 'was' : 'were'} not changed. Use \`--overwrite\` to replace existing files.\n`,
    )
  }
  const { error } = countSeverities(diagnostics)
  if (error > 0) {
    world.err.write(`\n${plural(error, 'error')} in ${name}: run \`octavo check\` for details.\n`)
  }
  return written.kept.length > 0 ? EXIT.problems : EXIT.ok
}

/**
 * Copies the specification. Returns false if a different file exists, since it may not have the
 * operations that the pages refer to.
 */
function copySpecification(
  world: CommandContext,
  copy: ScrapeOptions & { readonly text: string; readonly copyTo: string },
): boolean {
  const { text, copyTo, specification, overwrite } = copy
  const { green, yellow } = colorsFor(world.out, world.env)
  const shown = shownPath(world.cwd, copyTo)
  const exists = existsSync(copyTo)
  const isSame = exists && readFileSync(copyTo, 'utf8') === text
  if (exists && !isSame && !overwrite) {
    world.err.write(
      `octavo: ${shown} already exists and differs from ${specification}. Nothing was written. Use \`--overwrite\` to replace it.\n`,
    )
    return false
  }
  if (!isSame) {
    mkdirSync(dirname(copyTo), { recursive: true })
    writeFileSync(copyTo, text)
  }
  const mark = exists ? yellow(isSame ? 'unchanged' : 'replaced') : green('copied')
  world.out.write(`${mark}  ${shown}  from ${printable(specification)}\n`)
  return true
}

function writePages(
  pages: readonly { readonly path: string; readonly text: string }[],
  output: string,
  overwrite: boolean,
) {
  const created: string[] = []
  const replaced: string[] = []
  const kept: string[] = []
  for (const { path, text } of pages) {
    const file = join(output, `${path}.mdx`)
    const exists = existsSync(file)
    // An unchanged page is not reported.
    if (exists && readFileSync(file, 'utf8') === text) continue
    if (exists && !overwrite) {
      kept.push(file)
      continue
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (exists) replaced.push(file)
    else created.push(file)
  }
  return { created, replaced, kept }
}

function shownPath(cwd: string, path: string): string {
  return pathWithin(cwd, { target: path }) ?? path
}
