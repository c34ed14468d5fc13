/**
 * Lines that were coloured before. In real documentation every second line of code stands elsewhere
 * too (`}`, an import, a header of a request), and what becomes of a line depends on nothing but the
 * line and the state that the lines before it have left behind.
 */
import type { StateStack } from '@shikijs/vscode-textmate'
import { RecentCache } from './recent-cache.ts'

export type ColouredLine = {
  readonly html: string
  readonly next: NumberedState
  /** What it cost when it was coloured first. */
  readonly searches: number
}

/** Equal states are one and have one number. */
export type NumberedState = { readonly state: StateStack; readonly number: number }

/** Of a grammar. What has more is no code, and forgetting them only costs time. */
const STATES_MAX = 4_000

export class KnownLines {
  readonly #lines: RecentCache<ColouredLine>
  #lastNumber = 0

  constructor(lengthMax: number) {
    this.#lines = new RecentCache(lengthMax)
  }

  /** The states of one grammar. */
  createStates(): KnownStates {
    return new KnownStates(() => {
      this.#lastNumber += 1
      return this.#lastNumber
    })
  }

  get(line: string, { number }: NumberedState): ColouredLine | undefined {
    return this.#lines.get(`${number}\n${line}`)
  }

  set(line: string, { number }: NumberedState, coloured: ColouredLine): void {
    this.#lines.set(`${number}\n${line}`, coloured, line.length + coloured.html.length)
  }
}

export class KnownStates {
  readonly #nextNumber: () => number
  readonly #byDepth = new Map<number, NumberedState[]>()
  #count = 0

  constructor(nextNumber: () => number) {
    this.#nextNumber = nextNumber
  }

  find(state: StateStack): NumberedState {
    const known = this.#byDepth.get(state.depth)?.find((other) => isSame(other.state, state))
    if (known !== undefined) return known
    if (this.#count === STATES_MAX) this.#byDepth.clear()
    this.#count = this.#count === STATES_MAX ? 1 : this.#count + 1
    const added = { state, number: this.#nextNumber() }
    const others = this.#byDepth.get(state.depth)
    if (others === undefined) this.#byDepth.set(state.depth, [added])
    else others.push(added)
    return added
  }
}

/** What `equals` leaves out, though the next line may depend on it. */
type Frame = { readonly beginRuleCapturedEOL: boolean; readonly parent: Frame | null }

function isSame(one: StateStack, other: StateStack): boolean {
  if (!one.equals(other)) return false
  let a: Frame | null = one as unknown as Frame
  let b: Frame | null = other as unknown as Frame
  for (; a !== null && b !== null && a !== b; a = a.parent, b = b.parent) {
    if (a.beginRuleCapturedEOL !== b.beginRuleCapturedEOL) return false
  }
  return true
}
