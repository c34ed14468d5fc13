/**
 * Takes out what a model thinks aloud: `<think>…</think>` before its answer. Behind the first word of
 * the answer it is left alone: there it is what the answer is about.
 */
const OPEN = '<think>'
const CLOSE = '</think>'

export class ThoughtFilter {
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
        // Nothing but the beginning of the end is needed of it.
        this.#held = this.#held.slice(-CLOSE.length)
        return ''
      }
      this.#held = this.#held.slice(close + CLOSE.length)
      this.#state = 'before'
    }
  }

  /** What was held back in case it is a thought. */
  end(): string {
    const held = this.#state === 'inside' ? '' : this.#held
    this.#state = 'answer'
    this.#held = ''
    return held
  }
}
