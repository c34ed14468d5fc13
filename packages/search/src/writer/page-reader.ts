/**
 * Reads the output of `PageTerms`. The arrays are reused, because it runs for every word of a site.
 */
export class PageReader {
  sectionCount = 0
  count = 0
  /** For each occurrence of a term: the section of the page, the term's number and its weight. */
  sections = new Uint32Array(4096)
  terms = new Uint32Array(4096)
  weights = new Uint8Array(4096)

  read(bytes: Uint8Array): void {
    // The arrays need at most one item per byte, because a term takes at least one byte.
    if (bytes.length > this.terms.length) this.#grow(bytes.length)
    const { sections, terms, weights } = this
    let at = 0
    let count = 0
    let section = -1
    let left = 0
    let term = 0
    this.sectionCount = 0
    while (at < bytes.length) {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] ?? 0
        value |= (byte & 0x7f) << shift
        if (byte < 0x80) break
      }
      if (section < 0) {
        this.sectionCount = value
        section = 0
        left = -1
      } else if (left < 0) {
        left = value
        term = 0
      } else {
        term += value >>> 4
        sections[count] = section
        terms[count] = term
        weights[count] = value & 15
        count += 1
        left -= 1
      }
      if (left === 0) {
        section += 1
        left = -1
      }
    }
    this.count = count
  }

  #grow(length: number): void {
    this.sections = new Uint32Array(length)
    this.terms = new Uint32Array(length)
    this.weights = new Uint8Array(length)
  }
}
