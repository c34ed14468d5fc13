/**
 * Encodes a sorted list of terms. Adjacent terms share a prefix, so each term is written as the
 * length of that prefix and the remaining letters. Lengths and letters are stored separately,
 * because they compress better that way.
 */
import type { ByteReader, ByteWriter } from './bytes.ts'

/** Writes terms, which must be distinct and sorted by code units. */
export function writeTerms(terms: readonly string[], out: ByteWriter): void {
  let before = ''
  const rests = terms.map((term) => {
    const shared = sharedLength(before, term)
    before = term
    out.byte(shared)
    return term.slice(shared)
  })
  for (const rest of rests) out.byte(rest.length)
  out.text(rests.join(''))
}

/** Reads terms. Returns no more terms than there are bytes, whatever `count` claims. */
export function readTerms(count: number, from: ByteReader): readonly string[] {
  const shared = from.bytes(count)
  const lengths = from.bytes(count)
  const letters = from.text()
  const terms: string[] = []
  let before = ''
  let at = 0
  for (let index = 0; index < shared.length; index += 1) {
    const end = at + (lengths[index] ?? 0)
    before = before.slice(0, shared[index]) + letters.slice(at, end)
    terms.push(before)
    at = end
  }
  return terms
}

function sharedLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  // Do not split a surrogate pair, because the remaining letters must be valid text.
  return at > 0 && isHighSurrogate(a.charCodeAt(at - 1)) ? at - 1 : at
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd8_00 && code < 0xdc_00
}

/** Returns the index of the term, or the index at which it would be inserted. */
export function indexOfTerm(terms: readonly string[], term: string): number {
  let low = 0
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((terms[middle] ?? '') < term) low = middle + 1
    else high = middle
  }
  return low
}
