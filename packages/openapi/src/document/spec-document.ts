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

/** The maximum number of entries of an object that is searched without a lookup table. */
const SCANNED_ENTRIES_MAX = 12

/** Where the values of a document are written that was made of others. */
type Origin = {
  readonly documents: readonly SpecDocument[]
  /** Where the text of each of these documents starts. */
  readonly starts: readonly number[]
  /** The document of each row, and its row there. */
  readonly owners: Int32Array
  readonly nodes: Int32Array
}

/** Provides read access to a specification. Values are found by key and decoded on demand. */
export class SpecDocument {
  readonly root: NodeId = 0
  readonly tape: Tape
  readonly #source: SourceText
  readonly #decoded: Decoded | undefined
  readonly #origin: Origin | undefined
  readonly #tables = new Map<NodeId, ReadonlyMap<string, NodeId>>()
  readonly #lists = new Map<NodeId, readonly NodeId[]>()
  readonly #found = new Map<string, NodeId | undefined>()

  constructor(input: {
    file: string
    text: string
    tape: Tape
    decoded?: Decoded
    origin?: Origin
  }) {
    this.tape = input.tape
    this.#source = new SourceText(input.file, input.text)
    this.#decoded = input.decoded
    this.#origin = input.origin
  }

  get source(): string {
    return this.#source.text
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

  /**
   * Returns the value of a key. If the key is duplicated, its last value is used, as in JSON.parse.
   */
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

  /** Returns the keys and values in order, up to a maximum number. */
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

  /** Returns the approximate number of characters of a value in the file. */
  length(node: NodeId): number {
    const last = this.tape.next(node) - 1
    const end = this.tape.kind(last) <= KIND.array ? this.tape.start(last) : this.tape.end(last)
    return Math.max(0, end - this.tape.start(node))
  }

  /** Returns the values of an object, or the items of a list. */
  children(node: NodeId): NodeId[] {
    if (!this.isObject(node)) return this.items(node)
    const children: NodeId[] = []
    const end = this.tape.next(node)
    for (let at = node + 1; at < end; at = this.tape.next(at + 1)) children.push(at + 1)
    return children
  }

  /** Returns the number of levels of values inside a value. */
  depth(node: NodeId): number {
    const ends: number[] = []
    let depth = 0
    for (let at = node; at < this.tape.next(node); at += 1) {
      while (ends.length > 0 && at >= (ends.at(-1) ?? 0)) ends.pop()
      depth = Math.max(depth, ends.length)
      if (this.tape.kind(at) <= KIND.array) ends.push(this.tape.next(at))
    }
    return depth
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

  /** Returns the text of a string, or any other scalar as written in the file. */
  text(node: NodeId): string {
    const written = this.#source.text.slice(this.tape.start(node), this.tape.end(node))
    if (!this.tape.isEncoded(node)) return written
    return this.#decoded?.get(node) ?? decodeJsonString(written)
  }

  /** Returns the text of a string in its file, such as a reference before it was changed. */
  writtenText(node: NodeId): string {
    const { document, node: written } = this.written(node)
    return document.text(written)
  }

  /** Returns the text of a field. An unquoted number or boolean is returned as written. */
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

  /** Returns the text of each scalar in a list, skipping other items. */
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

  /** Returns the target of a reference; undefined if it is broken or outside of the document. */
  find(reference: string): NodeId | undefined {
    if (this.#found.has(reference)) return this.#found.get(reference)
    const tokens = parseFragment(reference)
    let node: NodeId | undefined = tokens && this.root
    for (const token of tokens ?? []) node = this.#step(node, token)
    this.#found.set(reference, node)
    return node
  }

  /** Returns a function that maps offsets in a value's text to offsets in the file. */
  offsets(node: NodeId): (offset: number) => number {
    const start = this.tape.start(node)
    if (!this.tape.isEncoded(node)) return (offset) => start + offset
    const end = this.tape.end(node)
    const offsets = textOffsets(this.source, { start, end }, this.text(node))
    return (offset) => offsets[Math.min(offset, offsets.length - 1)] ?? start
  }

  /** Returns the place of a value in its file, with its JSON pointer. */
  place(node: NodeId): Place {
    return { ...this.placeAt(this.offset(node)), pointer: this.pointer(node) }
  }

  /** Returns the file, the line and the column of an offset. */
  placeAt(offset: number): Place {
    const { source, offset: own } = this.locate(offset)
    return { file: source.file, ...source.position(own) }
  }

  /** Returns the file that an offset is in, and the offset in that file. */
  locate(offset: number): { readonly source: SourceText; readonly offset: number } {
    const origin = this.#origin
    if (origin === undefined) return { source: this.#source, offset }
    const next = origin.starts.findIndex((start) => start > offset)
    const index = next === -1 ? origin.starts.length - 1 : next - 1
    const document = origin.documents[index] ?? this
    return document.locate(offset - (origin.starts[index] ?? 0))
  }

  /** Returns the document and the row where a value is written. */
  written(node: NodeId): { readonly document: SpecDocument; readonly node: NodeId } {
    const document = this.#origin?.documents[this.#origin.owners[node] ?? 0]
    if (document === undefined) return { document: this, node }
    return document.written(this.#origin?.nodes[node] ?? 0)
  }

  /**
   * Returns the row that a row was made of in the first document that this one was made of;
   * undefined if it was made of another document.
   */
  origin(node: NodeId): NodeId | undefined {
    if (this.#origin === undefined) return node
    return this.#origin.owners[node] === 0 ? this.#origin.nodes[node] : undefined
  }

  /** The text of each file that the document was read from, the main one first. */
  get sources(): ReadonlyMap<string, string> {
    const documents = this.#origin?.documents
    if (documents === undefined) return new Map([[this.file, this.source]])
    return new Map(documents.flatMap(({ sources }) => [...sources]))
  }

  /** Returns the offset where a value starts, including its opening quote. */
  offset(node: NodeId): number {
    const start = this.tape.start(node)
    const { text } = this.#source
    const isQuoted =
      /["']/.test(text[start - 1] ?? '') && text[start - 1] === text[this.tape.end(node)]
    return isQuoted && this.tape.kind(node) > KIND.array ? start - 1 : start
  }

  /**
   * Returns the JSON pointer of a value in the file. Searches from the root, since rows have no
   * parents and pointers are rarely needed.
   */
  pointer(node: NodeId): string {
    const { document, node: written } = this.written(node)
    if (document !== this) return document.pointer(written)
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

  /**
   * Returns the items of a list. Cached, because references may lead to each item of a long list.
   */
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

/** Sets a key. A plain assignment to `__proto__` would change the prototype instead. */
function setOwn(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true })
}

/** Decodes a JSON string, whose escapes were checked during parsing. */
function decodeJsonString(written: string): string {
  return JSON.parse(`"${written}"`) as string
}

/** Replaces an infinite number such as `1e400`, which is valid JSON but cannot be printed again. */
function finite(number: number): number {
  return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE
}
