/**
 * Finds terms that differ from a word by a few edits: extra, missing, wrong or swapped letters.
 * Adjacent terms in the sorted list share a prefix, so their rows of the edit table are reused and
 * only the differing letters are compared. Prefixes whose lengths differ by more than the allowed
 * edits are never compared.
 */

/** Minimum length of a word to allow one typo; shorter words are too similar to each other. */
const ONE_EDIT_LENGTH_MIN = 4
const TWO_EDITS_LENGTH_MIN = 8

/** Returns the number of typos that a word may have. */
export function editsMax(word: string): number {
  if (word.length < ONE_EDIT_LENGTH_MIN) return 0
  return word.length < TWO_EDITS_LENGTH_MIN ? 1 : 2
}

export type SimilarTerm = { readonly index: number; readonly edits: number }

/**
 * Finds similar terms, excluding the word itself. With `isPrefix`, also terms that start with
 * something similar.
 */
export function similarTerms(
  terms: readonly string[],
  { term: word, isPrefix }: { readonly term: string; readonly isPrefix: boolean },
): readonly SimilarTerm[] {
  const limit = editsMax(word)
  if (limit === 0) return []
  const found: SimilarTerm[] = []
  const table = new EditTable(word, limit)
  let before = ''
  for (let index = 0; index < terms.length; index += 1) {
    const term = terms[index] ?? ''
    const shared = sharedLength(before, term)
    before = term
    const longer = term.length - word.length
    if (longer < -limit || (longer > limit && !isPrefix)) {
      table.forget(shared)
      continue
    }
    const edits = table.distance(term, { shared, isPrefix })
    if (edits > 0 && edits <= limit) found.push({ index, edits })
  }
  return found
}

function sharedLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

/**
 * A table of edit distances. Row n has the distances between the first n letters of the term and
 * those prefixes of the word that have a similar length; all other cells would exceed the limit.
 */
class EditTable {
  readonly #word: string
  readonly #limit: number
  readonly #rows: Uint8Array[] = []
  /** Number of rows that are valid for the previous term. */
  #ready = 0
  /** The first row in which all cells exceed the limit. Longer terms cannot match either. */
  #dead = Number.POSITIVE_INFINITY

  constructor(word: string, limit: number) {
    this.#word = word
    this.#limit = limit
    this.#rows.push(Uint8Array.from({ length: word.length + 1 }, (_, index) => index))
  }

  /** Discards all rows except those of the prefix that the next term shares. */
  forget(shared: number): void {
    this.#ready = Math.min(this.#ready, shared)
    if (this.#dead > this.#ready) this.#dead = Number.POSITIVE_INFINITY
  }

  distance(term: string, { shared, isPrefix }: { shared: number; isPrefix: boolean }): number {
    this.forget(shared)
    const end = this.#word.length
    const beyond = this.#limit + 1
    const last = Math.min(term.length, end + this.#limit)
    for (let row = this.#ready + 1; row <= last; row += 1) {
      if (this.#dead < row) break
      const least = this.#fill(term, row)
      this.#ready = row
      if (least > this.#limit) this.#dead = row
    }
    if (!isPrefix) {
      return this.#dead <= term.length ? beyond : (this.#rows[term.length]?.[end] ?? beyond)
    }
    let best = beyond
    const first = Math.max(1, end - this.#limit)
    for (let row = first; row <= this.#ready && row <= last; row += 1) {
      best = Math.min(best, this.#rows[row]?.[end] ?? beyond)
    }
    return best
  }

  /** Fills a row and returns its lowest cell. */
  #fill(term: string, row: number): number {
    const word = this.#word
    const above = this.#rows[row - 1] ?? new Uint8Array()
    const twoAbove = this.#rows[row - 2]
    this.#rows[row] ??= new Uint8Array(word.length + 1)
    const cells = this.#rows[row]
    const letter = term.charCodeAt(row - 1)
    const letterBefore = term.charCodeAt(row - 2)
    const beyond = this.#limit + 1
    const first = Math.max(1, row - this.#limit)
    const last = Math.min(word.length, row + this.#limit)
    let least = first === 1 ? Math.min(row, beyond) : beyond
    cells[first - 1] = least
    if (last < word.length) cells[last + 1] = beyond
    for (let at = first; at <= last; at += 1) {
      const isSame = word.charCodeAt(at - 1) === letter
      let cell = (above[at - 1] ?? 0) + (isSame ? 0 : 1)
      cell = Math.min(cell, (above[at] ?? 0) + 1, (cells[at - 1] ?? 0) + 1)
      const isSwapped =
        at > 1 && word.charCodeAt(at - 2) === letter && word.charCodeAt(at - 1) === letterBefore
      if (isSwapped && twoAbove !== undefined) cell = Math.min(cell, (twoAbove[at - 2] ?? 0) + 1)
      cells[at] = cell
      if (cell < least) least = cell
    }
    return least
  }
}
