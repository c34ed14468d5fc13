import type { Value } from './value.ts'

/** Names and their values, with the scope around them. */
export class Scope {
  readonly #names = new Map<string, Value>()
  readonly #constants = new Set<string>()
  readonly parent: Scope | undefined
  /** Told of names that are found further out, short of what every page has. */
  readonly #onBorrow: ((name: string) => void) | undefined

  constructor(parent: Scope | undefined, onBorrow?: (name: string) => void) {
    this.parent = parent
    this.#onBorrow = onBorrow
  }

  define(name: string, value: Value, isConstant = false): void {
    this.#names.set(name, value)
    if (isConstant) this.#constants.add(name)
  }

  /** The scope that defines the name, or nothing. */
  find(name: string): Scope | undefined {
    let scope: Scope | undefined = this
    let onBorrow: ((name: string) => void) | undefined
    while (scope !== undefined && !scope.#names.has(name)) {
      onBorrow = scope.#onBorrow ?? onBorrow
      scope = scope.parent
    }
    if (scope?.parent !== undefined) onBorrow?.(name)
    return scope
  }

  get(name: string): Value {
    return this.#names.get(name)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** False if the name is constant. */
  assign(name: string, value: Value): boolean {
    if (this.#constants.has(name)) return false
    this.#names.set(name, value)
    return true
  }
}
