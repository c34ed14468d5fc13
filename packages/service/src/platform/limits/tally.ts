/** Counts work in progress, in total and per key. Keys with a count of zero take no memory. */
export class Tally {
  readonly #ofKeys = new Map<string, number>()
  #total = 0

  get total(): number {
    return this.#total
  }

  of(key: string): number {
    return this.#ofKeys.get(key) ?? 0
  }

  add(key: string, change: number): void {
    this.#total += change
    const ofKey = this.of(key) + change
    if (ofKey === 0) this.#ofKeys.delete(key)
    else this.#ofKeys.set(key, ofKey)
  }
}
