import type { Value } from './value.ts'

/** A scope: names with their values, and the enclosing scope. */
export class Scope {
  readonly #names = new Map<string, Value>()
  readonly #constants = new Set<string>()
  readonly parent: Scope | undefined
  /** Called with each name that is found in an outer scope, except for globals. */
  readonly #onBorrow: ((name: string) => void) | undefined

  constructor(parent: Scope | undefined, onBorrow?: (name: string) => void) {
    this.parent = parent
    this.#onBorrow = onBorrow
  }

  define(name: string, value: Value, isConstant = false): void {
    this.#names.set(name, value)
    if (isConstant) this.#constants.add(name)
  }

  /** Returns the innermost scope that defines the name, or undefined. */
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

  /** Assigns a value to a name; returns false if the name is constant. */
  assign(name: string, value: Value): boolean {
    if (this.#constants.has(name)) return false
    this.#names.set(name, value)
    return true
  }
}
