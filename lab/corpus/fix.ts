/**
 * Runs `octavo check --fix` on copies of real sites, and checks that it breaks nothing.
 *
 *   npm run lab corpus/fix -- [folder of the corpus] [--only pattern of sites] [--show]
 *
 * Prints the findings of each kind before and after, findings that a fix caused, and pages whose
 * words changed although no fix wrote them. `--show` prints each change. Findings on pages whose
 * syntax error was fixed are counted apart: they were there before, but the page could not be read.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builderVersion, checkSite, loadSite, readFolder } from '@octavo/builder'
import { createPageParser } from '@octavo/content'
import type { Diagnostic } from '@octavo/model'
import { applyFixes, type FixedFile } from '../../packages/cli/src/commands/apply-fixes.ts'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'
import { MARKS, shownWords } from './foreign/shown-text.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
  },
})

/** The maximum number of rounds, as in `octavo check --fix`. */
const ROUNDS_MAX = 10

const WORD = /[\p{L}\p{N}]{2,}/gu

type Words = ReadonlyMap<string, ReadonlySet<string>>

const totals = {
  sites: 0,
  before: 0,
  after: 0,
  applied: 0,
  caused: 0,
  revealed: 0,
  words: 0,
  unfinished: 0,
}
const kinds = new Map<string, { before: number; after: number }>()

await withCorpus(positionals[0], async (corpus) => {
  const folder = join(corpus, 'sites')
  for (const site of configFolders(folder)) {
    if (!new RegExp(values.only).test(site)) continue
    const copy = mkdtempSync(join(tmpdir(), 'octavo-fix-'))
    try {
      cpSync(join(folder, site), copy, { recursive: true })
      await fixSite(site, copy)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
  for (const [kind, { before, after }] of [...kinds].toSorted(byBefore))
    if (before !== after) console.log(String(before).padStart(8), String(after).padStart(8), kind)
  console.log(totals)
})

async function fixSite(site: string, folder: string): Promise<void> {
  const started = performance.now()
  const cacheFolder = mkdtempSync(join(tmpdir(), 'octavo-fix-cache-'))
  try {
    const check = async () =>
      (await checkSite({ folder, cacheFolder, version: builderVersion() })).diagnostics
    const wordsBefore = readWords(folder)
    const before = await check()
    const applied: FixedFile[] = []
    let after = before
    let rounds = 0
    for (; rounds < ROUNDS_MAX; rounds += 1) {
      const fixed = applyFixes(folder, after)
      if (fixed.length === 0) break
      applied.push(...fixed)
      after = await check()
    }
    const count = applied.reduce((sum, one) => sum + one.count, 0)
    countKinds(before, 'before')
    countKinds(after, 'after')
    totals.sites += 1
    totals.applied += count
    if (rounds === ROUNDS_MAX) totals.unfinished += 1
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    console.log(
      `${site}: ${before.length} → ${after.length}, ${count} fixes in ${rounds} rounds, ${seconds} s`,
    )
    if (values.show) for (const one of applied) printEdits(one)
    printCaused(before, after)
    printWords(wordsBefore, readWords(folder), wordsOfFixes(applied))
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true })
  }
}

function countKinds(diagnostics: readonly Diagnostic[], when: 'before' | 'after'): void {
  totals[when] += diagnostics.length
  for (const { severity, code } of diagnostics) {
    const kind = `${severity} ${code}`
    const counts = kinds.get(kind) ?? { before: 0, after: 0 }
    counts[when] += 1
    kinds.set(kind, counts)
  }
}

function byBefore(a: readonly [string, { before: number }], b: typeof a): number {
  return b[1].before - a[1].before
}

function printEdits({ file, before, edits }: FixedFile): void {
  for (const { start, end, put } of edits) {
    const around = before.slice(Math.max(0, start - 30), end + 20)
    console.log(`  ${file}: ${JSON.stringify(around)}: ${JSON.stringify(put)}`)
  }
}

/** Prints new findings. Numbers in messages, such as line numbers, are ignored. */
function printCaused(before: readonly Diagnostic[], after: readonly Diagnostic[]): void {
  const key = ({ code, place, message }: Diagnostic) =>
    `${code} ${place.file} ${message.replaceAll(/\d[\d,]*/g, '0')}`
  const left = new Map<string, number>()
  const unread = new Set(
    before.filter(({ code }) => code === 'content/syntax').map(({ place }) => place.file),
  )
  for (const one of before) left.set(key(one), (left.get(key(one)) ?? 0) + 1)
  for (const one of after) {
    const number = left.get(key(one)) ?? 0
    left.set(key(one), number - 1)
    // A long report is truncated, so fixed findings make room for others, which are not new.
    if (number > 0 || before.some(({ code }) => code === 'limit/diagnostics')) continue
    if (unread.has(one.place.file)) {
      totals.revealed += 1
      continue
    }
    totals.caused += 1
    console.log(`  caused ${one.place.file}:${one.place.line}:${one.place.column} ${one.code}`)
    console.log(`    ${one.message.slice(0, 160)}`)
  }
}

/** Returns the words that readers see on each page. */
function readWords(folder: string): Words {
  const tree = readFolder(folder)
  const { site } = loadSite(tree)
  if (site === undefined) return new Map()
  const variables = site.config.variables ?? {}
  const parse = createPageParser({ read: (file) => readText(join(folder, file)), variables })
  return new Map(
    site.pages.map(({ file }) => [
      file,
      shownWords(parse(file, readText(join(folder, file)) ?? '').children),
    ]),
  )
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns the words that fixes wrote or removed, such as the name of a prop. */
function wordsOfFixes(files: readonly FixedFile[]): ReadonlySet<string> {
  const words = new Set<string>(MARKS)
  for (const { before, edits } of files)
    for (const { start, end, put } of edits) {
      const find = before.slice(start, end)
      // A fix of a block rewrites the whole block, so all of its words must remain.
      if (find.includes('\n') || find.length > 200) continue
      for (const [word] of `${find} ${put}`.matchAll(WORD)) words.add(word.toLowerCase())
    }
  return words
}

function printWords(before: Words, after: Words, expected: ReadonlySet<string>): void {
  for (const [file, words] of before) {
    const now = after.get(file) ?? new Set()
    const changed = [...words.symmetricDifference(now)].filter((word) => !expected.has(word))
    if (changed.length === 0) continue
    totals.words += 1
    const marked = changed.map((word) => `${words.has(word) ? '-' : '+'}${word}`)
    console.log(`  words ${file}: ${marked.slice(0, 12).join(' ')}`)
  }
}
