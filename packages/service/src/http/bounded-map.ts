/** Remembers so many things at most: when it is full, what was used longest ago goes. */
export class BoundedMap<Key, Value> {
  readonly #max: number
  readonly #values = new Map<Key, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key)
    if (this.#values.size >= this.#max) {
      const [oldest] = this.#values.keys()
      if (oldest !== undefined) this.#values.delete(oldest)
    }
    this.#values.set(key, value)
  }
}
