/**
 * A cache of highlighted lines of one language. In real documentation, half of all lines of code
 * also occur elsewhere (`}`, an import, a request header), and the result depends only on the line
 * and on the state after the previous lines.
 */
import type { StateStack } from '@shikijs/vscode-textmate'

export type ColoredLine = {
  readonly html: string
  readonly next: KnownState
  /** The number of searches when the line was first highlighted. */
  readonly searches: number
}

/** A state of the tokenizer with the lines that followed it. Equal states share one object. */
export type KnownState = {
  readonly state: StateStack
  readonly lines: Map<string, ColoredLine>
}

/** The maximum number of cached characters of code and HTML; then the cache is cleared. */
const LENGTH_MAX = 1_000_000
const STATE_LENGTH = 200

export class KnownLines {
  readonly #byDepth = new Map<number, KnownState[]>()
  #length = 0

  stateOf(state: StateStack): KnownState {
    const known = this.#byDepth.get(state.depth)?.find((other) => isSame(other.state, state))
    if (known !== undefined) return known
    this.#makeRoom(STATE_LENGTH)
    const added = { state, lines: new Map() }
    const others = this.#byDepth.get(state.depth)
    if (others === undefined) this.#byDepth.set(state.depth, [added])
    else others.push(added)
    return added
  }

  add(line: string, before: KnownState, colored: ColoredLine): void {
    this.#makeRoom(line.length + colored.html.length)
    before.lines.set(line, colored)
  }

  #makeRoom(length: number): void {
    this.#length += length
    if (this.#length <= LENGTH_MAX) return
    this.#byDepth.clear()
    this.#length = length
  }
}

/** Declares a field of the state that `equals` ignores, although the next line may depend on it. */
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
