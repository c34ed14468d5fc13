/**
 * Removes the reasoning in `<think>…</think>` that some models write before the answer. After the
 * first word of the answer, the tag is kept, since the answer may be about such tags.
 */
const OPEN = '<think>'
const CLOSE = '</think>'

export class ReasoningFilter {
  #state: 'before' | 'inside' | 'answer' = 'before'
  #held = ''

  push(text: string): string {
    if (this.#state === 'answer') return text
    this.#held += text
    for (;;) {
      if (this.#state === 'before') {
        this.#held = this.#held.trimStart()
        if (this.#held.length < OPEN.length && OPEN.startsWith(this.#held)) return ''
        if (!this.#held.startsWith(OPEN)) return this.end()
        this.#state = 'inside'
      }
      const close = this.#held.indexOf(CLOSE)
      if (close < 0) {
        // Keep only as much as the start of a closing tag needs.
        this.#held = this.#held.slice(-CLOSE.length)
        return ''
      }
      this.#held = this.#held.slice(close + CLOSE.length)
      this.#state = 'before'
    }
  }

  /** Returns the text that was held back because it could have been reasoning. */
  end(): string {
    const held = this.#state === 'inside' ? '' : this.#held
    this.#state = 'answer'
    this.#held = ''
    return held
  }
}
