/**
 * Prints what `octavo check` finds in real sites, with samples, to look for false positives.
 * Prints the number of findings of each kind, and a sample of each kind with the lines around it.
 *
 *   npm run lab corpus/findings -- [folder of the corpus] [--count 50] [--from 0] [--code link/anchor] [--only pattern of sites]
 *
 * The sample covers all sites and is the same each time; `--from 50` prints the next one. Files
 * that the corpus omits from a site (its images) count as existing. The corpus is not part of this
 * repository; it is not written to.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builderVersion, checkSite } from '@octavo/builder'
import type { Diagnostic } from '@octavo/model'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'

type Finding = { readonly site: string; readonly diagnostic: Diagnostic }

/** The number of lines before and after a finding, and the width to which each line is cut. */
const LINES_AROUND = 1
const WIDTH = 160

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '50' },
    from: { type: 'string', default: '0' },
    code: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
})

const from = Number(values.from)

await withCorpus(positionals[0], async (corpus) => {
  const folder = join(corpus, 'sites')
  const byCode = Map.groupBy(await findAll(folder), ({ diagnostic }) => diagnostic.code)
  for (const [code, findings] of [...byCode].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const sample = interleaveSites(findings).slice(from, from + Number(values.count))
    console.log(`\n═══ ${code}: ${findings.length}, ${sample.length} shown`)
    for (const finding of sample) printFinding(folder, finding)
  }
})

async function findAll(folder: string): Promise<readonly Finding[]> {
  const found: Finding[] = []
  const cacheFolder = mkdtempSync(join(tmpdir(), 'octavo-findings-'))
  try {
    for (const site of configFolders(folder)) {
      if (!new RegExp(values.only).test(site)) continue
      const started = performance.now()
      const version = builderVersion()
      const checked = await checkSite({ folder: join(folder, site), cacheFolder, version })
      const isSkipped = readOmittedFiles(folder, site)
      const wanted = checked.diagnostics.filter(
        (diagnostic) => diagnostic.code.startsWith(values.code) && !isSkipped(diagnostic),
      )
      for (const diagnostic of wanted) found.push({ site, diagnostic })
      const seconds = ((performance.now() - started) / 1_000).toFixed(1)
      console.error(`${site}: ${wanted.length} findings, ${seconds} s`)
    }
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true })
  }
  return found
}

/**
 * Returns a function that recognizes findings about files that exist in the site but not in the
 * corpus.
 */
function readOmittedFiles(folder: string, site: string): (diagnostic: Diagnostic) => boolean {
  // A site can be in a subfolder of another site, whose manifest then lists the omitted files of
  // both sites.
  const [top = site, ...below] = site.split('/')
  const prefix = below.map((name) => `${name}/`).join('')
  const text = readLines(join(folder, top, 'manifest.json')).join('\n')
  const { left_out = [] } = JSON.parse(text || '{}') as {
    readonly left_out?: readonly { readonly path: string }[]
  }
  const paths = new Set(
    left_out
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path }) => path.slice(prefix.length))
      .flatMap((path) => [path, path.replace(/\.mdx?$/, '')]),
  )
  return ({ message }) =>
    [...message.matchAll(/[`"]\/?([^`"]+)[`"]/g)].some(
      // The path can also start with the folders of the site.
      ([, path = '']) =>
        [path, path.replace(/^[^/]+\//, ''), path.replace(/^[^/]+\/[^/]+\//, '')].some((one) =>
          paths.has(one),
        ),
    )
}

/** Takes one finding from each site, then a second one from each, so that no site dominates. */
function interleaveSites(findings: readonly Finding[]): readonly Finding[] {
  const bySite = Map.groupBy(findings.toSorted(byFindingHash), ({ site }) => site)
  const placed = [...bySite.values()].flatMap((ofSite) =>
    ofSite.map((finding, place) => ({ finding, place })),
  )
  return placed.toSorted((a, b) => a.place - b.place).map(({ finding }) => finding)
}

/** Compares findings for a random but reproducible order. */
function byFindingHash(a: Finding, b: Finding): number {
  return keyOf(a) < keyOf(b) ? -1 : 1
}

function keyOf(finding: Finding): string {
  return createHash('sha256').update(JSON.stringify(finding)).digest('hex')
}

function printFinding(folder: string, { site, diagnostic }: Finding): void {
  const { place, severity, message, hint } = diagnostic
  console.log(`\n${site}/${place.file}:${place.line}:${place.column}  ${severity}: ${message}`)
  if (hint !== undefined) console.log(`  hint: ${hint}`)
  const lines = readLines(join(folder, site, place.file))
  const first = Math.max(1, place.line - LINES_AROUND)
  for (let line = first; line <= Math.min(lines.length, place.line + LINES_AROUND); line += 1) {
    const text = lines[line - 1] ?? ''
    // For a long line, printing starts shortly before the finding.
    const from = line === place.line && place.column > WIDTH ? place.column - WIDTH / 2 : 0
    console.log(`  ${line === place.line ? '>' : ' '} ${text.slice(from, from + WIDTH)}`)
  }
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r\n|\n|\r/)
  } catch {
    // A finding about the folder, such as too many files, has no source text.
    return []
  }
}
