/**
 * A document with the changes of overlays. Values without changes stay on the tape of the document,
 * so that a change costs as much as what it changes. Each value keeps its place in its file.
 */
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { TapeWriter } from '../document/tape-writer.ts'
import type { Scalar, Selected, Values } from '../json-path/select-values.ts'

/** A value of the original document, by its row, or a copy of a value of an overlay. */
export type Value = NodeId | AddedValue

class AddedValue {
  readonly document: SpecDocument
  readonly node: NodeId
  content: Content | undefined

  constructor(document: SpecDocument, node: NodeId) {
    this.document = document
    this.node = node
  }
}

type Written = { readonly document: SpecDocument; readonly node: NodeId }
type Entry = { readonly key: Written; readonly value: Value }
type Content = Map<string, Entry> | Value[]

/** Thrown when overlays add more values than a specification may have. */
export class TooManyAdded extends Error {}
/** Thrown when overlays nest values more deeply than a specification may. */
export class TooDeepAdded extends Error {}

export type EditLimits = { readonly nodesMax: number; readonly depthMax: number }

export class EditedDocument implements Values<Value> {
  readonly root: Value = 0
  readonly #document: SpecDocument
  readonly #limits: EditLimits
  /** The content of changed values of the original document. */
  readonly #changed = new Map<NodeId, Content>()
  #changedRows: readonly NodeId[] = []
  #count: number

  constructor(document: SpecDocument, limits: EditLimits) {
    this.#document = document
    this.#limits = limits
    this.#count = document.tape.length
  }

  kind(value: Value): 'object' | 'list' | 'scalar' {
    const { document, node } = this.#written(value)
    const kind = document.kind(node)
    if (kind === KIND.object) return 'object'
    return kind === KIND.array ? 'list' : 'scalar'
  }

  entries(value: Value): Iterable<readonly [key: string, value: Value]> {
    const content = this.#content(value)
    if (content === undefined) return this.#document.entries(value as NodeId)
    return content instanceof Map
      ? [...content].map(([key, entry]) => [key, entry.value] as const)
      : []
  }

  children(value: Value): readonly Value[] {
    const content = this.#content(value)
    if (content === undefined) return this.#document.children(value as NodeId)
    if (!(content instanceof Map)) return content
    const children: Value[] = []
    for (const entry of content.values()) children.push(entry.value)
    return children
  }

  field(value: Value, key: string): Value | undefined {
    const content = this.#content(value)
    if (content === undefined) return this.#document.field(value as NodeId, key)
    return content instanceof Map ? content.get(key)?.value : undefined
  }

  items(value: Value): readonly Value[] {
    const content = this.#content(value)
    if (content === undefined) return this.#document.items(value as NodeId)
    return content instanceof Map ? [] : content
  }

  scalar(value: Value): Scalar {
    const { document, node } = this.#written(value)
    return document.value(node) as Scalar
  }

  /** Adds the fields of an object to another one; fields with the same name are merged. */
  merge({ value, depth }: Selected<Value>, from: SpecDocument, update: NodeId): void {
    this.#countAdded(from, update, depth)
    this.#merge(value, from, update)
  }

  /** Appends a value to a list; the items of a list are appended one by one. */
  append({ value, depth }: Selected<Value>, from: SpecDocument, update: NodeId): void {
    this.#countAdded(from, update, depth + 1)
    this.#append(this.#own(value), from, update)
  }

  /** Removes values from what contains them. */
  remove(selected: readonly Selected<Value>[]): void {
    const byParent = new Map<Value, Set<Value>>()
    for (const { value, parent } of selected) {
      if (parent === undefined) continue
      const known = byParent.get(parent)
      if (known === undefined) byParent.set(parent, new Set([value]))
      else known.add(value)
    }
    for (const [parent, values] of byParent) {
      const content = this.#own(parent)
      const kept =
        content instanceof Map
          ? new Map([...content].filter(([, entry]) => !values.has(entry.value)))
          : content.filter((item) => !values.has(item))
      this.#setContent(parent, kept)
    }
  }

  /** Writes the document with its changes; `others` are all documents that values came from. */
  write(others: readonly SpecDocument[]): SpecDocument {
    const writer = new TapeWriter(this.#document, this.#limits.nodesMax)
    for (const other of others) writer.include(other)
    this.#changedRows = [...this.#changed.keys()].sort((a, b) => a - b)
    this.#write(this.root, writer)
    return writer.done()
  }

  #write(value: Value, writer: TapeWriter): void {
    const { document, node } = this.#written(value)
    writer.inside(document, () => {
      const kind = this.kind(value)
      if (kind === 'scalar' || !this.#isChanged(value)) writer.copy(node)
      else if (kind === 'list') {
        writer.list(node, () => {
          for (const item of this.items(value)) this.#write(item, writer)
        })
      } else writer.object(node, () => this.#writeEntries(value, writer))
    })
  }

  #writeEntries(value: Value, writer: TapeWriter): void {
    const content = this.#content(value)
    if (content instanceof Map) {
      for (const { key, value: child } of content.values()) {
        writer.inside(key.document, () => writer.copy(key.node))
        this.#write(child, writer)
      }
      return
    }
    for (const [, child] of this.#document.entries(value as NodeId)) {
      writer.copy(child - 1)
      this.#write(child, writer)
    }
  }

  /** Returns whether a value or something inside it differs from what is written. */
  #isChanged(value: Value): boolean {
    if (value instanceof AddedValue) return value.content !== undefined
    const rows = this.#changedRows
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((rows[middle] ?? 0) < value) low = middle + 1
      else high = middle
    }
    return (rows[low] ?? Number.POSITIVE_INFINITY) < this.#document.tape.next(value)
  }

  #merge(target: Value, from: SpecDocument, update: NodeId): void {
    const content = this.#own(target)
    if (!(content instanceof Map)) return
    for (const [name, value] of from.entries(update)) {
      const known = content.get(name)
      const isObject = known !== undefined && this.kind(known.value) === 'object'
      const isList = known !== undefined && this.kind(known.value) === 'list'
      if (isObject && from.isObject(value)) this.#merge(known.value, from, value)
      else if (isList && from.kind(value) === KIND.array) {
        this.#append(this.#own(known.value), from, value)
      } else {
        const key = { document: from, node: value - 1 }
        content.set(name, { key, value: new AddedValue(from, value) })
      }
    }
  }

  #append(content: Content, from: SpecDocument, update: NodeId): void {
    if (content instanceof Map) return
    const items = from.kind(update) === KIND.array ? from.items(update) : [update]
    for (const item of items) content.push(new AddedValue(from, item))
  }

  #countAdded(from: SpecDocument, update: NodeId, depth: number): void {
    this.#count += from.tape.next(update) - update
    if (this.#count > this.#limits.nodesMax) throw new TooManyAdded()
    if (depth + from.depth(update) > this.#limits.depthMax) throw new TooDeepAdded()
  }

  #written(value: Value): Written {
    return value instanceof AddedValue ? value : { document: this.#document, node: value }
  }

  /** Returns the content of a value that is not read from the tape of the original document. */
  #content(value: Value): Content | undefined {
    return value instanceof AddedValue ? this.#own(value) : this.#changed.get(value)
  }

  /** Returns the content of a value, which may then be changed. */
  #own(value: Value): Content {
    const known = value instanceof AddedValue ? value.content : this.#changed.get(value)
    if (known !== undefined) return known
    const { document, node } = this.#written(value)
    const isAdded = value instanceof AddedValue
    const child = (at: NodeId) => (isAdded ? new AddedValue(document, at) : at)
    const content =
      document.kind(node) === KIND.object
        ? new Map(
            document.entries(node).map(([name, at]) => {
              return [name, { key: { document, node: at - 1 }, value: child(at) }] as const
            }),
          )
        : document.items(node).map(child)
    this.#setContent(value, content)
    return content
  }

  #setContent(value: Value, content: Content): void {
    if (value instanceof AddedValue) value.content = content
    else this.#changed.set(value, content)
  }
}
