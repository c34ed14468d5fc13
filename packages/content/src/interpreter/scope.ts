import type { Value } from './value.ts'

/** Names and their values, with the scope around them. */
export class Scope {
  readonly #names = new Map<string, Value>()
  readonly #constants = new Set<string>()
  readonly parent: Scope | undefined

  constructor(parent: Scope | undefined) {
    this.parent = parent
  }

  define(name: string, value: Value, isConstant = false): void {
    this.#names.set(name, value)
    if (isConstant) this.#constants.add(name)
  }

  /** The scope that defines the name, or nothing. */
  find(name: string): Scope | undefined {
    let scope: Scope | undefined = this
    while (scope !== undefined && !scope.#names.has(name)) scope = scope.parent
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
