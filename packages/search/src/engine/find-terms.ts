/** Finds the index terms that match a typed word, with the quality of each match. */
import type { Vocabulary } from '../format/index-format.ts'
import { indexOfTerm } from '../format/term-list.ts'
import type { QueryWord } from './parse-query.ts'
import { editsMax, similarTerms } from './similar-terms.ts'
import { stemOf } from './word-stem.ts'

export type TermMatch = {
  readonly term: string
  /** Quality between 0 and 1; an exact match has 1. */
  readonly quality: number
}

/** Maximum completions of a word, because each may be in a separate file. */
const COMPLETIONS_MAX = 6
/**
 * Maximum completions of a word by its length. One or two letters are ambiguous and the reader will
 * type more, so fewer files are loaded.
 */
const COMPLETIONS_OF_SHORT = [0, 2, 3]
const SIMILAR_MAX = 6
const FORMS_MAX = 4
const FORM_QUALITY = 0.8
/** Quality factor for completions and similar terms if the index has the exact word. */
const LATER = 0.3
/** Base-2 logarithm of a number of sections. A word in fewer sections may itself be a typo. */
const RARE_SIZE = 2
/**
 * Also a base-2 logarithm. A word in fewer sections may be a typo of a similar word that is in at
 * least 16 times as many sections.
 */
const UNCOMMON_SIZE = 4
/** Maximum terms to check for the completions or forms of a word. */
const RANGE_MAX = 4_000

/**
 * Returns the word itself, its forms and completions and, if these are rare, similar words. Less
 * similar terms get a lower quality.
 */
export function findTerms(
  list: Vocabulary,
  word: QueryWord,
  endings: readonly string[],
): readonly TermMatch[] {
  const exact = findExact(list, word)
  const completions = word.isPrefix ? findCompletions(list, word) : []
  const forms = word.isGram ? [] : findForms(list, word, endings)
  const most = Math.max(-1, ...[...exact, ...completions].map(({ size }) => size))
  const isTypable = !word.isGram && !word.isExact && most < UNCOMMON_SIZE
  const similar = isTypable ? findSimilar(list, word) : []
  // Even a word that the index contains may be a typo of a far more common one.
  const likely =
    most < RARE_SIZE ? similar : similar.filter(({ size }) => size >= most + UNCOMMON_SIZE)
  const all = [...exact, ...forms, ...later(completions, exact), ...later(likely, exact)]
  const taken = new Set<string>()
  return all.filter(({ term }) => !taken.has(term) && taken.add(term))
}

function later(matches: readonly Sized[], nearer: readonly Sized[]): readonly Sized[] {
  if (nearer.length === 0) return matches
  return matches.map((match) => ({ ...match, quality: match.quality * LATER }))
}

/** Finds other forms of a word: `installing` for `install`, and vice versa. */
function findForms(
  { terms, sizes }: Vocabulary,
  { term: word }: QueryWord,
  endings: readonly string[],
): readonly Sized[] {
  const stem = stemOf(word, endings)
  const found: Sized[] = []
  const start = indexOfTerm(terms, stem)
  for (let place = start; place < start + RANGE_MAX; place += 1) {
    const term = terms[place]
    if (term === undefined || !term.startsWith(stem)) break
    if (term === word || stemOf(term, endings) !== stem) continue
    found.push({ term, quality: FORM_QUALITY, size: sizes[place] ?? 0 })
  }
  return best(found, FORMS_MAX)
}

type Sized = TermMatch & { readonly size: number }

function findExact({ terms, sizes }: Vocabulary, { term }: QueryWord): readonly Sized[] {
  const place = indexOfTerm(terms, term)
  return terms[place] === term ? [{ term, quality: 1, size: sizes[place] ?? 0 }] : []
}

function findCompletions({ terms, sizes }: Vocabulary, word: QueryWord): readonly Sized[] {
  const found: Sized[] = []
  const start = indexOfTerm(terms, word.start)
  for (let place = start; place < start + RANGE_MAX; place += 1) {
    const term = terms[place]
    if (term === undefined || !term.startsWith(word.start)) break
    if (term === word.term) continue
    const quality = 0.5 + (0.4 * word.start.length) / term.length
    found.push({ term, quality, size: sizes[place] ?? 0 })
  }
  return best(found, COMPLETIONS_OF_SHORT[word.term.length] ?? COMPLETIONS_MAX)
}

function findSimilar(list: Vocabulary, word: QueryWord): readonly Sized[] {
  const whole = { term: word.term, isPrefix: false }
  const near = toSized(list, word, similarTerms(list.terms, whole))
  // A word that is not finished yet may already contain a typo.
  const isOpen = word.isPrefix && near.length === 0 && editsMax(word.term) > 0
  if (!isOpen) return best(near, SIMILAR_MAX)
  return best(toSized(list, word, similarTerms(list.terms, word)), SIMILAR_MAX)
}

function toSized(
  { terms, sizes }: Vocabulary,
  word: QueryWord,
  similar: ReturnType<typeof similarTerms>,
): readonly Sized[] {
  const digits = digitsOf(word.term)
  return similar.flatMap(({ index, edits }) => {
    const term = terms[index] ?? ''
    // Different numbers mean different things: `v1` is not a typo of `v2`.
    if (digitsOf(term) !== digits) return []
    // The first letter is rarely mistyped.
    const isLikely = term.charCodeAt(0) === word.term.charCodeAt(0)
    const quality = (edits === 1 ? 0.6 : 0.35) * (isLikely ? 1 : 0.8)
    return [{ term, quality, size: sizes[index] ?? 0 }]
  })
}

function digitsOf(term: string): string {
  return term.replaceAll(/\D+/g, '')
}

function best(found: readonly Sized[], count: number): readonly Sized[] {
  if (found.length <= count) return found
  const rank = ({ quality, size }: Sized) => quality * 10 + Math.min(size, 6)
  return found.toSorted((a, b) => rank(b) - rank(a)).slice(0, count)
}
