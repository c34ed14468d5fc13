/**
 * Words with more characters are not compared: they are rarely typed by hand, and the cost is
 * quadratic.
 */
const WORD_LENGTH_MAX = 80

const TYPOS_MAX = 3

/** Returns the candidate that the author probably meant, or undefined if none is close. */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  typosMax = TYPOS_MAX,
): string | undefined {
  if (word.length === 0 || word.length > WORD_LENGTH_MAX) return undefined
  const typed = word.toLowerCase()
  // One typo is allowed in a short word, two in a medium one, and three in a long one.
  let best = Math.min(typosMax, Math.floor(typed.length / 3)) + 1
  let found: string | undefined
  for (const candidate of candidates) {
    const written = candidate.toLowerCase()
    if (written === typed) return candidate
    if (Math.abs(written.length - typed.length) >= best) continue
    const distance = editDistance(typed, written)
    if (distance < best) {
      best = distance
      found = candidate
    }
  }
  return found
}

/**
 * Returns "Did you mean `x`?" with the nearest candidate, or the sentence `otherwise` if no
 * candidate is close.
 */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const guess = nearest(word, candidates)
  return guess === undefined ? otherwise : `Did you mean \`${guess}\`?`
}

/** Words with fewer characters are similar to too many others. */
const CORRECTED_LENGTH_MIN = 4

/**
 * Returns the word that a quick fix may insert without asking: the only candidate that differs only
 * in case or by one typo. Numbers are never typos: `/v1` is not a typo of `/v2`.
 */
export function correctionOf(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase()
  const numbers = numbersIn(word)
  const near = new Set<string>()
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > 1) continue
    const written = candidate.toLowerCase()
    if (written === typed) return candidate
    if (isOneEdit(typed, written) && numbersIn(candidate) === numbers) near.add(candidate)
  }
  const [only] = near
  return near.size === 1 && word.length >= CORRECTED_LENGTH_MIN ? only : undefined
}

function numbersIn(text: string): string {
  return text.replaceAll(/\D+/g, ' ')
}

/**
 * Checks whether two words differ by exactly one edit: an insertion, a deletion, a replacement, or
 * a swap of neighbors.
 */
function isOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const rest = short.slice(start)
  if (long.length > short.length) return long.slice(start + 1) === rest
  const other = long.slice(start)
  const isSwap = rest[0] === other[1] && rest[1] === other[0]
  return rest.slice(1) === other.slice(1) || (isSwap && rest.slice(2) === other.slice(2))
}

/**
 * Checks whether the candidate is the same path or name except for typos. A different word, such as
 * `update-user` for `create-user` or `v2` for `v1`, is not a typo.
 */
export function isTypoOf(written: string, candidate: string): boolean {
  const words = wordsOf(written)
  const others = wordsOf(candidate)
  if (words.length !== others.length) return words.join('') === others.join('')
  return words.every((word, index) => {
    const other = others[index] ?? ''
    if (word === other) return true
    return word.length > 3 && word[0] === other[0] && nearest(word, [other]) !== undefined
  })
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/**
 * Counts the edits between two words: insertions, deletions, replacements, and swaps of neighbors.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
