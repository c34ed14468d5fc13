/** Which terms of an index stand for a word that a reader typed, and how well. */
import type { Vocabulary } from '../format/index-format.ts'
import { placeOfTerm } from '../format/term-list.ts'
import type { QueryWord } from './parse-query.ts'
import { editsMax, similarTerms } from './similar-terms.ts'
import { stemOf } from './word-stem.ts'

export type TermMatch = {
  readonly term: string
  /** 1 for the word itself. */
  readonly quality: number
}

/** Terms that one word stands for at most; each may be in a file of its own. */
const COMPLETIONS_MAX = 6
/** One letter or two say little, and the next is on its way: fewer files are loaded for them. */
const COMPLETIONS_OF_SHORT = [0, 2, 3]
const SIMILAR_MAX = 6
const FORMS_MAX = 4
const FORM_QUALITY = 0.8
/** For completions of a word that is there as it is, and for what is like a word that is there. */
const LATER = 0.3
/** A word that is in fewer sections than this (as a power of two) may be a typing error itself. */
const RARE_SIZE = 2
/** So may one that is in fewer than this, if what it is like is in so many times as many. */
const UNCOMMON_SIZE = 4
/** Terms that are looked at to complete a word. */
const RANGE_MAX = 4_000

/**
 * The word itself and its forms, what begins so, and, where there is little of these, what is like
 * it. What is farther from the word comes after what is nearer wherever both say as much.
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
  // A word that is there may be an error all the same, for one that is there far more often.
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

/** `installing` for `install`, and the other way round. */
function findForms(
  { terms, sizes }: Vocabulary,
  { term: word }: QueryWord,
  endings: readonly string[],
): readonly Sized[] {
  const stem = stemOf(word, endings)
  const found: Sized[] = []
  const start = placeOfTerm(terms, stem)
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
  const place = placeOfTerm(terms, term)
  return terms[place] === term ? [{ term, quality: 1, size: sizes[place] ?? 0 }] : []
}

function findCompletions({ terms, sizes }: Vocabulary, word: QueryWord): readonly Sized[] {
  const found: Sized[] = []
  const start = placeOfTerm(terms, word.start)
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
  // A beginning with a mistake in it, while the rest is still to come.
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
    // Another number is another thing: `v1` is no way to write `v2`.
    if (digitsOf(term) !== digits) return []
    // Few people mistype the first letter.
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
