/**
 * Parses the root of a search index and checks everything in it, because a deployment is untrusted.
 */
import type { LanguageWords } from '../words/language-words.ts'
import { INDEX_FORMAT, PAGES_PER_FOLDER, type SearchRoot } from './index-format.ts'
import { INDEX_LIMITS } from './index-limits.ts'
import { SEARCH_WORDS, type SearchWords } from './search-words.ts'
import { UnreadableIndex } from './unreadable-index.ts'

/** Matches names that a build writes: digests, numbers, folders. `..` is not allowed. */
const NAME = /^(?!.*\.\.)[\w./-]*$/

/** Parses the root of an index. Throws `UnreadableIndex` unless a build could have written it. */
export function parseSearchRoot(text: string, { pagesMax }: { pagesMax: number }): SearchRoot {
  const written = record(parseJson(text), 'The root')
  if (written.format !== INDEX_FORMAT) refuse('The root has an unsupported format.')
  const vocabulary = record(written.vocabulary, '`vocabulary`')
  const root: SearchRoot = {
    format: INDEX_FORMAT,
    folder: name(written.folder, '`folder`'),
    vocabulary: {
      file: name(vocabulary.file, '`vocabulary.file`'),
      isComplete: vocabulary.isComplete === true,
    },
    shards: list(written.shards, { what: '`shards`', max: INDEX_LIMITS.shardsMax }).map((row) => {
      const [start, file] = pair(row, '`shards`')
      return [word(start, '`shards`'), name(file, '`shards`')]
    }),
    sections: list(written.sections, { what: '`sections`', max: INDEX_LIMITS.pagesMax }).map(
      (count) => whole(count, '`sections`', INDEX_LIMITS.sectionsMax),
    ),
    runs: list(written.runs, { what: '`runs`', max: INDEX_LIMITS.pagesMax }).map((row) => {
      const [first, count] = pair(row, '`runs`')
      return [
        whole(first, '`runs`', INDEX_LIMITS.pagesMax),
        whole(count, '`runs`', INDEX_LIMITS.pagesMax),
      ]
    }),
    pageFolders: list(written.pageFolders, {
      what: '`pageFolders`',
      max: INDEX_LIMITS.pagesMax,
    }).map((hash) => name(hash, '`pageFolders`')),
    boosts: list(written.boosts, { what: '`boosts`', max: INDEX_LIMITS.pagesMax }).map((row) => {
      const [page, factor] = pair(row, '`boosts`')
      return [whole(page, '`boosts`', INDEX_LIMITS.pagesMax), factorOf(factor)]
    }),
    tabs: list(written.tabs ?? [], { what: '`tabs`', max: INDEX_LIMITS.pagesMax }).map((row) => {
      const [label, count] = pair(row, '`tabs`')
      return [word(label, '`tabs`'), whole(count, '`tabs`', INDEX_LIMITS.pagesMax)]
    }),
    words: readWords(written.words),
    language: readLanguage(written.language),
  }
  checkPages(root, Math.min(pagesMax, INDEX_LIMITS.pagesMax))
  return root
}

/** Checks that the numbers in the root agree with each other and with the deployment. */
function checkPages({ sections, runs, pageFolders }: SearchRoot, pagesMax: number): void {
  let pages = 0
  let end = 0
  let folders = 0
  for (const [first, count] of runs) {
    if (count === 0 || first < end) refuse('`runs` are not in order.')
    pages += count
    const from = Math.floor(first / PAGES_PER_FOLDER)
    const to = Math.floor((first + count - 1) / PAGES_PER_FOLDER)
    const isShared = end > 0 && from === Math.floor((end - 1) / PAGES_PER_FOLDER)
    folders += to - from + (isShared ? 0 : 1)
    end = first + count
  }
  // Every page has its own files, so there cannot be more pages than files.
  if (pages > pagesMax) refuse(`\`runs\` has ${pages} pages, more than the deployment has files.`)
  if (pages !== sections.length) refuse('`runs` and `sections` have different numbers of pages.')
  if (pageFolders.length > folders) refuse('There are more `pageFolders` than `runs` need.')
  const all = sections.reduce((sum, count) => sum + count, 0)
  if (all > INDEX_LIMITS.sectionsMax) refuse(`The index has ${all} sections, which is too many.`)
}

function readWords(value: unknown): SearchWords {
  const written = record(value, '`words`')
  const words = SEARCH_WORDS.map((key) => [key, word(written[key] ?? '', '`words`')])
  return Object.fromEntries(words) as SearchWords
}

function readLanguage(value: unknown): LanguageWords {
  if (value === undefined) return { functionWords: [], endings: [] }
  const what = '`language`'
  const { code, functionWords, endings, synonyms, siteName } = record(value, what)
  const words = (written: unknown, max: number) =>
    list(written, { what, max }).map((one) => word(one, what))
  return {
    ...(code !== undefined && { code: word(code, what) }),
    functionWords: words(functionWords, INDEX_LIMITS.functionWordsMax),
    endings: words(endings, INDEX_LIMITS.endingsMax),
    ...(synonyms !== undefined && {
      synonyms: list(synonyms, { what, max: INDEX_LIMITS.synonymGroupsMax }).map((group) =>
        words(group, INDEX_LIMITS.synonymsMax),
      ),
    }),
    ...(siteName !== undefined && { siteName: words(siteName, INDEX_LIMITS.synonymsMax) }),
  }
}

/** Parses JSON, but counts objects first, because millions of empty objects take long to parse. */
function parseJson(text: string): unknown {
  if (hasMore(text, '{', INDEX_LIMITS.rootObjectsMax)) refuse('The root has too many objects.')
  if (hasMore(text, '[', INDEX_LIMITS.rootListsMax)) refuse('The root has too many lists.')
  try {
    return JSON.parse(text)
  } catch {
    return refuse('The root is not JSON.')
  }
}

function hasMore(text: string, sign: string, max: number): boolean {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    count += 1
    if (count > max) return true
  }
  return false
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(`${what} is not an object.`)
  return value as Readonly<Record<string, unknown>>
}

function list(value: unknown, { what, max }: { what: string; max: number }): readonly unknown[] {
  if (!Array.isArray(value)) return refuse(`${what} is not a list.`)
  return value.length > max
    ? refuse(`${what} has ${value.length} entries; the maximum is ${max}.`)
    : value
}

function pair(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) && value.length === 2
    ? value
    : refuse(`An entry of ${what} is not a pair.`)
}

function whole(value: unknown, what: string, max: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max
    ? value
    : refuse(`${what} has an entry that is not a whole number from 0 to ${max}.`)
}

function factorOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? value
    : refuse('`boosts` has an invalid factor: expected a number of 0 or more.')
}

function word(value: unknown, what: string): string {
  return typeof value === 'string' && value.length <= INDEX_LIMITS.wordLengthMax
    ? value
    : refuse(`${what} has an entry that is not a short string.`)
}

function name(value: unknown, what: string): string {
  const text = word(value, what)
  return NAME.test(text) ? text : refuse(`${what} has an invalid name.`)
}

function refuse(reason: string): never {
  throw new UnreadableIndex(reason)
}
