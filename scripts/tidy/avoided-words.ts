/**
 * Counts the words in comments, test titles and Markdown that GLOSSARY.md says not to use. Many
 * older lines contain them, so each part of the repository has a limit per word, which may only
 * shrink (`word-counts.json`).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseSync } from 'vite'

export type AvoidedWord = { readonly word: string; readonly instead: string }

/** Counts by word, then by part of the repository. Zeros are omitted. */
export type WordCounts = Readonly<Record<string, Readonly<Record<string, number>>>>

export type TextFile = { readonly path: string; readonly text: string }

const COUNTS = 'scripts/tidy/word-counts.json'
/**
 * Matches the files to check. Fixtures are data, the schema is generated, and the glossary has to
 * name the words.
 */
const CHECKED =
  /^(?:(?:packages|scripts|lab|docs|decisions)\/.*|(?:fixtures\/)?[^/]+)\.(?:tsx?|sql|css|mdx?)$/
const NOT_CHECKED = ['GLOSSARY.md', 'packages/service/src/platform/database/schema.sql']
const ROW = /^\| (.*`.*) \| (.+) \|$/gm
const IN_CODE = /`([^`]+)`/g
const FENCE = /^( *)(`{3,}).*$[\s\S]*?^ *\2$/gm
const TITLE =
  /(?:\b(?:describe|it|test)(?:\.\w+)*|\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g

/** Returns one violation for each word that exceeds its limit in a part of the repository. */
export function checkGlossary(root: string, files: readonly string[]): readonly string[] {
  const { words, counts, allowed } = readWords(root, files)
  return checkWords(counts, allowed, words)
}

export function writeCounts(root: string, files: readonly string[]): void {
  const { counts, allowed } = readWords(root, files)
  writeFileSync(join(root, COUNTS), `${JSON.stringify(shrinkCounts(counts, allowed), null, 2)}\n`)
}

function readWords(root: string, files: readonly string[]) {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const words = readAvoidedWords(read('GLOSSARY.md'))
  const texts = files
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((path) => CHECKED.test(path) && !NOT_CHECKED.includes(path))
    .map((path) => ({ path, text: read(path) }))
  const allowed: WordCounts = JSON.parse(read(COUNTS))
  return { words, counts: countWords(texts, words), allowed }
}

/** Returns the words in backticks of the table below "Do not use". */
export function readAvoidedWords(glossary: string): readonly AvoidedWord[] {
  const [, table = ''] = glossary.split('\n## Do not use\n')
  return [...table.matchAll(ROW)].flatMap(([, words = '', instead = '']) =>
    [...words.matchAll(IN_CODE)].map(([, word = '']) => ({ word, instead })),
  )
}

/** Returns the prose of a file: comments and test titles of code, Markdown without code. */
export function proseOf({ path, text }: TextFile): string {
  if (/\.mdx?$/.test(path)) return text.replaceAll(FENCE, '').replaceAll(IN_CODE, '')
  if (path.endsWith('.sql')) return [...text.matchAll(/--.*/g)].join('\n')
  if (path.endsWith('.css')) return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].join('\n')
  if (!/\.tsx?$/.test(path)) return ''
  const comments = parseSync(path, text).comments.map(({ value }) => value)
  const titles = path.includes('.test.') || path.includes('.case.') ? text.matchAll(TITLE) : []
  return [...comments, ...[...titles].map(([, a, b, c]) => a ?? b ?? c ?? '')].join('\n')
}

export function countWords(files: readonly TextFile[], words: readonly AvoidedWord[]): WordCounts {
  const proseByPart = new Map<string, string[]>()
  for (const file of files) {
    const part = partOf(file.path)
    proseByPart.set(part, [...(proseByPart.get(part) ?? []), proseOf(file)])
  }
  const parts = [...proseByPart].map(
    // A phrase can continue on the next line of a comment.
    ([part, texts]) => [part, texts.join('\n').replaceAll(/\s+(?:\* |-- )?/g, ' ')] as const,
  )
  return Object.fromEntries(
    words.map(({ word }) => {
      const pattern = new RegExp(`\\b${word}\\b`, 'gi')
      const counts = parts.map(
        ([part, prose]) => [part, prose.match(pattern)?.length ?? 0] as const,
      )
      return [word, Object.fromEntries(counts.filter(([, count]) => count > 0).toSorted())]
    }),
  )
}

export function checkWords(
  counts: WordCounts,
  allowed: WordCounts,
  words: readonly AvoidedWord[],
): readonly string[] {
  return words.flatMap(({ word, instead }) =>
    Object.entries(counts[word] ?? {}).flatMap(([part, count]) => {
      const most = allowed[word]?.[part] ?? 0
      if (count <= most) return []
      const more = `${count} times in comments, test titles and Markdown (limit ${most})`
      return [`${part}: "${word}" appears ${more}; write: ${instead} (GLOSSARY.md)`]
    }),
  )
}

/**
 * Returns the new limits: counts that became smaller, and the counts of words that are new in the
 * glossary.
 */
export function shrinkCounts(counts: WordCounts, allowed: WordCounts): WordCounts {
  return Object.fromEntries(
    Object.entries(counts).map(([word, parts]) => {
      const before = allowed[word]
      if (before === undefined) return [word, parts]
      const smaller = Object.entries(parts).map(
        ([part, count]) => [part, Math.min(count, before[part] ?? 0)] as const,
      )
      return [word, Object.fromEntries(smaller.filter(([, count]) => count > 0))]
    }),
  )
}

/**
 * Returns the part of the repository that a file is in: a package, a top-level folder, or `.` for
 * other files.
 */
function partOf(path: string): string {
  const [first = '', second = '', ...rest] = path.split('/')
  if (second === '') return '.'
  return first === 'packages' && rest.length > 0 ? `${first}/${second}` : first
}
