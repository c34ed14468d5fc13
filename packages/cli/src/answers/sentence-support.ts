/**
 * Finds sentences of an answer that its sources do not support. The measure only compares words, so
 * it is the same for every model: a sentence is supported if at least half of its words, in any form
 * and without words such as "the", are in the sources.
 */
import { eachWord, languageWords, splitWord, stemOf } from '@octavo/search'

const SUPPORT_MIN = 0.5
/** A sentence with fewer words, such as "Yes.", is not measured. */
const WORDS_MIN = 3

const CODE_BLOCK = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm
const CITATION = /\s?\[\d+\]/g
const LIST_MARKER = /^\s*(?:[-*+>]|#{1,6}|\d+[.)])\s+/
const { functionWords, endings } = languageWords('en')
const FUNCTION_WORDS: ReadonlySet<string> = new Set(functionWords)

export type SentenceSupport = {
  /** The number of sentences that were measured. */
  readonly sentences: number
  readonly unsupported: readonly string[]
}

/** Compares the prose of an answer with the text of its sources. Code is not measured. */
export function findUnsupported(answer: string, sources: readonly string[]): SentenceSupport {
  const known = stemsOf(sources.join('\n'))
  const measured = splitSentences(answer)
    .map((text) => ({ text, words: [...stemsOf(text)] }))
    .filter(({ words }) => words.length >= WORDS_MIN)
  const unsupported = measured.filter(
    ({ words }) => words.filter((word) => known.has(word)).length < words.length * SUPPORT_MIN,
  )
  return { sentences: measured.length, unsupported: unsupported.map(({ text }) => text) }
}

function splitSentences(answer: string): readonly string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  return answer
    .replaceAll(CODE_BLOCK, '\n')
    .replaceAll(CITATION, '')
    .split('\n')
    .flatMap((line) => [...segmenter.segment(line.replace(LIST_MARKER, ''))])
    .map(({ segment }) => segment.trim())
}

/** Returns the distinct stems of a text without function words. */
function stemsOf(text: string): ReadonlySet<string> {
  const stems = new Set<string>()
  eachWord(text, (word) => {
    for (const { term, kind } of splitWord(word).pieces)
      if (kind !== 'tail' && !FUNCTION_WORDS.has(term)) stems.add(stemOf(term, endings))
  })
  return stems
}
