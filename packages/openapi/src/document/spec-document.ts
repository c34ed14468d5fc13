import { type Place, SourceText } from '@octavo/model'
import { escapeToken, parseFragment } from './pointer.ts'
import type { Decoded } from './read-yaml.ts'
import { KIND, type Kind, type NodeId, type Tape } from './tape.ts'
import { textOffsets } from './text-offsets.ts'

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Objects with more entries get a lookup table on first access. */
const SCANNED_ENTRIES_MAX = 12

/** Read access to a specification: values are found by key and decoded on demand. */
export class SpecDocument {
  readonly root: NodeId = 0
  readonly tape: Tape
  readonly #source: SourceText
  readonly #decoded: Decoded | undefined
  readonly #tables = new Map<NodeId, ReadonlyMap<string, NodeId>>()
  readonly #lists = new Map<NodeId, readonly NodeId[]>()
  readonly #found = new Map<string, NodeId | undefined>()

  constructor(input: { file: string; text: string; tape: Tape; decoded?: Decoded }) {
    this.tape = input.tape
    this.#source = new SourceText(input.file, input.text)
    this.#decoded = input.decoded
  }

  get source(): string {
    return this.#source.text
  }

  get sourceText(): SourceText {
    return this.#source
  }

  get file(): string {
    return this.#source.file
  }

  kind(node: NodeId): Kind {
    return this.tape.kind(node)
  }

  isObject(node: NodeId | undefined): node is NodeId {
    return node !== undefined && this.tape.kind(node) === KIND.object
  }

  /** Returns the value of a key. If a key is duplicated, the last one counts, as usual. */
  field(node: NodeId | undefined, key: string): NodeId | undefined {
    if (!this.isObject(node)) return undefined
    const table = this.#tables.get(node)
    if (table !== undefined) return table.get(key)
    const end = this.tape.next(node)
    let found: NodeId | undefined
    let count = 0
    for (let at = node + 1; at < end; at = this.tape.next(at + 1)) {
      if (this.#isText(at, key)) found = at + 1
      count += 1
      if (count > SCANNED_ENTRIES_MAX) return this.#tableOf(node).get(key)
    }
    return found
  }

  /** Returns keys and values in order, at most `max` of them. */
  entries(
    node: NodeId | undefined,
    max = Number.POSITIVE_INFINITY,
  ): [key: string, value: NodeId][] {
    const entries: [string, NodeId][] = []
    if (!this.isObject(node)) return entries
    const end = this.tape.next(node)
    for (let at = node + 1; at < end && entries.length < max; at = this.tape.next(at + 1)) {
      entries.push([this.text(at), at + 1])
    }
    return entries
  }

  /** Returns the approximate length of a value in the file. */
  length(node: NodeId): number {
    const last = this.tape.next(node) - 1
    const end = this.tape.kind(last) <= KIND.array ? this.tape.start(last) : this.tape.end(last)
    return Math.max(0, end - this.tape.start(node))
  }

  /** Returns the first item of a list. */
  first(node: NodeId | undefined): NodeId | undefined {
    if (node === undefined || this.tape.kind(node) !== KIND.array) return undefined
    return this.tape.next(node) > node + 1 ? node + 1 : undefined
  }

  items(node: NodeId | undefined, max = Number.POSITIVE_INFINITY): NodeId[] {
    const items: NodeId[] = []
    if (node === undefined || this.tape.kind(node) !== KIND.array) return items
    const end = this.tape.next(node)
    for (let at = node + 1; at < end && items.length < max; at = this.tape.next(at)) items.push(at)
    return items
  }

  /** Returns the text of a string, or a number as written. */
  text(node: NodeId): string {
    const written = this.#source.text.slice(this.tape.start(node), this.tape.end(node))
    if (!this.tape.isEncoded(node)) return written
    return this.#decoded?.get(node) ?? decodeJsonString(written)
  }

  /** Returns a field's text. An unquoted number or boolean counts as written. */
  textField(node: NodeId | undefined, key: string): string | undefined {
    const value = this.field(node, key)
    return value !== undefined && this.isText(value) ? this.text(value) : undefined
  }

  isText(node: NodeId): boolean {
    const kind = this.tape.kind(node)
    return kind >= KIND.string && kind <= KIND.false
  }

  isTrue(node: NodeId | undefined, key: string): boolean {
    const value = this.field(node, key)
    return value !== undefined && this.tape.kind(value) === KIND.true
  }

  /** Returns the texts of a list, without other items. */
  texts(node: NodeId | undefined): string[] {
    return this.items(node)
      .filter((item) => this.isText(item))
      .map((item) => this.text(item))
  }

  /** Returns the value as plain data. */
  value(node: NodeId): Json {
    switch (this.tape.kind(node)) {
      case KIND.object: {
        const value: Record<string, Json> = {}
        for (const [key, item] of this.entries(node)) setOwn(value, key, this.value(item))
        return value
      }
      case KIND.array:
        return this.items(node).map((item) => this.value(item))
      case KIND.string:
        return this.text(node)
      case KIND.number:
        return finite(Number(this.text(node)))
      case KIND.true:
        return true
      case KIND.false:
        return false
      case KIND.null:
        return null
    }
  }

  /** Returns the target of a reference. Undefined if it is broken or outside of the document. */
  find(reference: string): NodeId | undefined {
    if (this.#found.has(reference)) return this.#found.get(reference)
    const tokens = parseFragment(reference)
    let node: NodeId | undefined = tokens && this.root
    for (const token of tokens ?? []) node = this.#step(node, token)
    this.#found.set(reference, node)
    return node
  }

  /** Returns line and column of an offset in the file. */
  position(offset: number): Pick<Place, 'line' | 'column'> {
    return this.#source.position(offset)
  }

  /** Returns a function from offsets in a text to offsets in the file. */
  offsets(node: NodeId): (offset: number) => number {
    const start = this.tape.start(node)
    if (!this.tape.isEncoded(node)) return (offset) => start + offset
    const end = this.tape.end(node)
    const offsets = textOffsets(this.source, { start, end }, this.text(node))
    return (offset) => offsets[Math.min(offset, offsets.length - 1)] ?? start
  }

  /** Returns the place of a value, with its pointer. */
  place(node: NodeId): Place {
    const { line, column } = this.position(this.offset(node))
    return { file: this.file, line, column, pointer: this.pointer(node) }
  }

  /** Returns the start of a value, including its opening quote. */
  offset(node: NodeId): number {
    const start = this.tape.start(node)
    const { text } = this.#source
    const isQuoted =
      /["']/.test(text[start - 1] ?? '') && text[start - 1] === text[this.tape.end(node)]
    return isQuoted && this.tape.kind(node) > KIND.array ? start - 1 : start
  }

  /** Searches from the root: rows do not know their parent, and few pointers are needed. */
  pointer(node: NodeId): string {
    let pointer = ''
    for (let at = this.root; at !== node; ) {
      const child = this.#childAround(at, node)
      if (child === undefined) return pointer
      pointer += `/${escapeToken(child.key)}`
      // A key has the same pointer as its value.
      if (child.value - 1 === node) return pointer
      at = child.value
    }
    return pointer
  }

  #childAround(parent: NodeId, node: NodeId): { key: string; value: NodeId } | undefined {
    const isObject = this.tape.kind(parent) === KIND.object
    const end = this.tape.next(parent)
    let index = 0
    for (let at = parent + 1; at < end; index += 1) {
      const value = isObject ? at + 1 : at
      const next = this.tape.next(value)
      if (node < next) return { key: isObject ? this.text(at) : String(index), value }
      at = next
    }
    return undefined
  }

  #step(node: NodeId | undefined, token: string): NodeId | undefined {
    if (node === undefined) return undefined
    if (this.tape.kind(node) === KIND.array) {
      return /^(?:0|[1-9]\d*)$/.test(token) ? this.#listOf(node)[Number(token)] : undefined
    }
    return this.field(node, token)
  }

  /** Cached, because references may lead to every item of a long list. */
  #listOf(node: NodeId): readonly NodeId[] {
    const known = this.#lists.get(node)
    if (known !== undefined) return known
    const items = this.items(node)
    this.#lists.set(node, items)
    return items
  }

  #tableOf(node: NodeId): ReadonlyMap<string, NodeId> {
    const table = new Map(this.entries(node))
    this.#tables.set(node, table)
    return table
  }

  #isText(node: NodeId, text: string): boolean {
    if (this.tape.isEncoded(node)) return this.text(node) === text
    const start = this.tape.start(node)
    return this.tape.end(node) - start === text.length && this.#source.text.startsWith(text, start)
  }
}

/** Assigns `__proto__` as an ordinary key, which a plain assignment would not do. */
function setOwn(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true })
}

/** The escapes were checked during parsing. */
function decodeJsonString(written: string): string {
  return JSON.parse(`"${written}"`) as string
}

/** `1e400` is valid JSON, but the result cannot be written as JSON again. */
function finite(number: number): number {
  return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE
}
