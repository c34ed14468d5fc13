/** Parses a reader's query into words to search for. */
import { HEADING_WORDS_MAX } from '../format/index-format.ts'
import { eachWord, splitWord } from '../words/split-words.ts'

export type QueryWord = {
  readonly term: string
  /**
   * True if the word also matches longer words that start with it, because the reader is still
   * typing the word, or because it is a short word in a script without spaces.
   */
  readonly isPrefix: boolean
  /** The start of possible completions: the word as typed, including a plural `s`. */
  readonly start: string
  readonly isFunctionWord: boolean
  /** True for the site's name at the end of a query, which says nothing about the page. */
  readonly isSiteName?: boolean
  /**
   * True for a gram, which is a piece of text in a script without spaces. Grams are not checked for
   * typos.
   */
  readonly isGram: boolean
  /** True for a word that was added to the query, not typed; it is not checked for typos. */
  readonly isExact?: boolean
}

/** Two words, or all parts of one word, joined. */
type JoinedWords = {
  readonly term: string
  readonly covers: readonly number[]
  /** True if the reader wrote the words as one. */
  readonly isWritten: boolean
}

export type Query = {
  readonly words: readonly QueryWord[]
  readonly joined: readonly JoinedWords[]
}

/** Maximum characters of a query. */
const QUERY_LENGTH_MAX = 500
const QUERY_WORDS_MAX = 24

/**
 * Parses a query. Function words count very little next to other words. A short query may be a
 * heading, so its function words are searched too; in a question they are skipped, because the
 * index file of each of them is large.
 */
export function parseQuery(
  text: string,
  functionWords: ReadonlySet<string> = new Set(),
  siteName: readonly string[] = [],
): Query {
  const all = withoutWeight(parseWords(text), siteName)
  const isFunctionWord = ({ term, isSiteName = false }: QueryWord) =>
    isSiteName || functionWords.has(term)
  if (all.words.every(isFunctionWord)) return all
  const words = all.words.map((word) => ({ ...word, isFunctionWord: isFunctionWord(word) }))
  if (words.length <= HEADING_WORDS_MAX) return { ...all, words }
  return without(words.filter(isFunctionWord), { ...all, words })
}

/** Marks the site's name if the query ends with it: `install acme` is about the page `Install`. */
function withoutWeight(query: Query, siteName: readonly string[]): Query {
  const start = query.words.length - siteName.length
  const isAtEnd = start > 0 && siteName.every((term, at) => query.words[start + at]?.term === term)
  if (!isAtEnd) return query
  const words = query.words.map((word, at) => (at < start ? word : { ...word, isSiteName: true }))
  return { ...query, words }
}

function parseWords(text: string): Query {
  const written = text.slice(0, QUERY_LENGTH_MAX)
  const words: QueryWord[] = []
  const joined: JoinedWords[] = []
  const isOpen = /[\p{L}\p{N}\p{M}]$/u.test(written)
  eachWord(written, (word, start) => {
    const isLast = isOpen && start + word.length === written.length
    const { pieces, whole } = splitWord(word)
    const first = words.length
    for (const [index, { kind, term, start: from, end }] of pieces.entries()) {
      if (words.length === QUERY_WORDS_MAX) return
      // The previous gram already covers the tail.
      if (kind === 'tail') continue
      // A single letter after other words is too ambiguous to complete.
      const isBegun = kind === 'word' && term.length === 1 && words.length > 0
      const isEnd = isLast && index === pieces.length - 1 && !isBegun
      words.push({
        term,
        start: startOf(term, word.slice(from, end)),
        isPrefix: isEnd || kind === 'short',
        isGram: kind !== 'word',
        isFunctionWord: false,
      })
    }
    if (whole !== undefined)
      joined.push({ term: whole, covers: range(first, words.length), isWritten: true })
  })
  for (let index = 1; index < words.length; index += 1) {
    const [before, word] = [words[index - 1], words[index]]
    if (before === undefined || word === undefined || before.isGram || word.isGram) continue
    joined.push({ term: before.term + word.term, covers: [index - 1, index], isWritten: false })
  }
  return { words, joined }
}

function without(others: readonly QueryWord[], { words, joined }: Query): Query {
  const left = words.filter((word) => !others.includes(word))
  const places = new Map(left.map((word, place) => [words.indexOf(word), place]))
  return {
    words: left,
    joined: joined.flatMap((one) => {
      const covers = one.covers.flatMap((place) => places.get(place) ?? [])
      return covers.length === one.covers.length ? [{ ...one, covers }] : []
    }),
  }
}

/**
 * Returns the start of possible completions. `cors` is indexed as `cor`, but must not complete to
 * `core`.
 */
function startOf(term: string, written: string): string {
  if (!/s$/i.test(written) || term.endsWith('s')) return term
  return /ies$/i.test(written) ? `${term.slice(0, -1)}ies` : `${term}s`
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
