/** An LRU cache with a maximum size. */
export class RecentCache<Value> {
  readonly #sizeMax: number
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>()
  #size = 0

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value, size: number): void {
    if (this.#entries.has(key)) return
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#sizeMax) break
      this.#entries.delete(oldest)
      this.#size -= entry.size
    }
  }
}
