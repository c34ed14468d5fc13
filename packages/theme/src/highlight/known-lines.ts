/**
 * Lines of one language that were colored before. In real documentation every second line of code
 * stands elsewhere too (`}`, an import, a header of a request), and what becomes of a line depends on
 * nothing but the line and the state that the lines before it have left behind.
 */
import type { StateStack } from '@shikijs/vscode-textmate'

export type ColoredLine = {
  readonly html: string
  readonly next: KnownState
  /** What it cost when it was colored first. */
  readonly searches: number
}

/** Equal states are one, and know the lines that followed them. */
export type KnownState = {
  readonly state: StateStack
  readonly lines: Map<string, ColoredLine>
}

/** Characters of code and HTML; beyond, all is forgotten, which costs time and nothing else. */
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
