/**
 * Reads replies that the contract leaves open, such as the details of an answer. What is missing or
 * of another kind is left out and never an error.
 */
export class LooseReply {
  readonly #value: Readonly<Record<string, unknown>>

  constructor(value: unknown) {
    this.#value = isRecord(value) ? value : {}
  }

  text(...names: readonly string[]): string | undefined {
    const value = this.#first(names)
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  number(...names: readonly string[]): number | undefined {
    const value = this.#first(names)
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }

  flag(...names: readonly string[]): boolean | undefined {
    const value = this.#first(names)
    return typeof value === 'boolean' ? value : undefined
  }

  part(...names: readonly string[]): LooseReply {
    return new LooseReply(this.#first(names))
  }

  has(name: string): boolean {
    return this.#value[name] !== undefined && this.#value[name] !== null
  }

  list(...names: readonly string[]): readonly LooseReply[] {
    const value = this.#first(names)
    return Array.isArray(value) ? value.map((item) => new LooseReply(item)) : []
  }

  texts(...names: readonly string[]): readonly string[] {
    const value = this.#first(names)
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
  }

  #first(names: readonly string[]): unknown {
    const name = names.find((one) => this.has(one))
    return name === undefined ? undefined : this.#value[name]
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
