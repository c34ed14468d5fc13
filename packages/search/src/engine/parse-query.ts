/** What a reader typed → words to look for. */
import { eachWord, splitWord } from '../words/split-words.ts'

export type QueryWord = {
  readonly term: string
  /** Still being typed, or a piece of a script without spaces: what begins so counts too. */
  readonly isPrefix: boolean
  /** Pieces of a script without spaces have no typing errors of their own. */
  readonly isGram: boolean
}

/** Two words, or all parts of one, written as one. */
type JoinedWords = { readonly term: string; readonly covers: readonly number[] }

export type Query = {
  readonly words: readonly QueryWord[]
  readonly joined: readonly JoinedWords[]
}

/** Letters of a query that are looked at. */
const QUERY_LENGTH_MAX = 200
/** As many as fit into a number, bit by bit. */
const QUERY_WORDS_MAX = 24

export function parseQuery(text: string): Query {
  const written = text.slice(0, QUERY_LENGTH_MAX)
  const words: QueryWord[] = []
  const joined: JoinedWords[] = []
  const isOpen = /[\p{L}\p{N}\p{M}]$/u.test(written)
  eachWord(written, (word, start) => {
    const isLast = isOpen && start + word.length === written.length
    const { pieces, whole } = splitWord(word)
    const first = words.length
    for (const [index, { kind, term }] of pieces.entries()) {
      if (words.length === QUERY_WORDS_MAX) return
      // What is before the tail says as much.
      if (kind === 'tail') continue
      // A letter after other words could become anything; what these found is the better answer.
      const isBegun = kind === 'word' && term.length === 1 && words.length > 0
      const isEnd = isLast && index === pieces.length - 1 && !isBegun
      words.push({ term, isPrefix: isEnd || kind === 'short', isGram: kind !== 'word' })
    }
    if (whole !== undefined) joined.push({ term: whole, covers: range(first, words.length) })
  })
  for (let index = 1; index < words.length; index += 1) {
    const [before, word] = [words[index - 1], words[index]]
    if (before === undefined || word === undefined || before.isGram || word.isGram) continue
    joined.push({ term: before.term + word.term, covers: [index - 1, index] })
  }
  return { words, joined }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
