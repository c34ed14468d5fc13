import { SpecDocument } from './spec-document.ts'
import { KIND, type NodeId, Tape } from './tape.ts'

/**
 * Writes a document whose values come from one or more others. Each value keeps its place in its
 * file, so messages lead to what the author wrote.
 */
export class TapeWriter {
  readonly #tape: Tape
  readonly #decoded = new Map<NodeId, string>()
  readonly #documents: SpecDocument[] = []
  /** Where the text of each document starts in the joined text. */
  readonly #starts: number[] = []
  /** The document of each row, and its row there. */
  readonly #owners: number[] = []
  readonly #origins: NodeId[] = []
  #current = 0
  #length = 0

  constructor(from: SpecDocument, nodesMax: number) {
    this.#tape = new Tape(nodesMax)
    this.#add(from)
  }

  /** The document that values are read from. */
  get from(): SpecDocument {
    return this.#documents[this.#current] as SpecDocument
  }

  /** Counts a document as one that this one was made of, and returns its index. */
  include(document: SpecDocument): number {
    const known = this.#documents.indexOf(document)
    return known === -1 ? this.#add(document) : known
  }

  /** Reads values from another document while it writes. */
  inside(document: SpecDocument, write: () => void): void {
    const before = this.#current
    this.#current = this.include(document)
    write()
    this.#current = before
  }

  /** Writes an object at the place of a value of the other document. */
  object(at: NodeId, fill: () => void): void {
    this.#container(KIND.object, at, fill)
  }

  list(at: NodeId, fill: () => void): void {
    this.#container(KIND.array, at, fill)
  }

  /** Writes a text that is not in the file, at the place of a value that is. Returns its row. */
  text(text: string, at: NodeId): NodeId {
    const node = this.#scalar(at, KIND.string, true)
    this.#decoded.set(node, text)
    return node
  }

  flag(value: boolean, at: NodeId): void {
    this.#scalar(at, value ? KIND.true : KIND.false, false)
  }

  /** Writes a value without changes. */
  copy(node: NodeId): void {
    const { from } = this
    const kind = from.kind(node)
    if (kind === KIND.object) {
      this.object(node, () => {
        for (const [, value] of from.entries(node)) {
          this.copy(value - 1)
          this.copy(value)
        }
      })
    } else if (kind === KIND.array) {
      this.list(node, () => {
        for (const item of from.items(node)) this.copy(item)
      })
    } else {
      const isEncoded = from.tape.isEncoded(node)
      const written = this.#scalar(node, kind, isEncoded)
      if (isEncoded) this.#decoded.set(written, from.text(node))
    }
  }

  /** Writes a key and a value without changes, if there is a value. */
  copyField(key: string, value: NodeId | undefined): void {
    if (value === undefined) return
    this.text(key, value - 1)
    this.copy(value)
  }

  done(): SpecDocument {
    this.#tape.trim()
    return new SpecDocument({
      file: this.#documents[0]?.file ?? '',
      text: this.#documents.map(({ source }) => source).join('\n'),
      tape: this.#tape,
      decoded: this.#decoded,
      origin: {
        documents: this.#documents,
        starts: this.#starts,
        owners: Int32Array.from(this.#owners),
        nodes: Int32Array.from(this.#origins),
      },
    })
  }

  #add(document: SpecDocument): number {
    this.#starts.push(this.#length)
    this.#length += document.source.length + 1
    return this.#documents.push(document) - 1
  }

  #container(kind: typeof KIND.object | typeof KIND.array, at: NodeId, fill: () => void): void {
    const node = this.#tape.open(kind, this.#start(at))
    this.#note(at)
    fill()
    this.#tape.close(node)
  }

  #scalar(at: NodeId, kind: Parameters<Tape['addScalar']>[0], isEncoded: boolean): NodeId {
    const { tape } = this.from
    const start = this.#start(at)
    const length = tape.kind(at) <= KIND.array ? 0 : tape.end(at) - tape.start(at)
    this.#note(at)
    return this.#tape.addScalar(kind, start, start + length, isEncoded)
  }

  #start(at: NodeId): number {
    return this.from.tape.start(at) + (this.#starts[this.#current] ?? 0)
  }

  #note(at: NodeId): void {
    this.#owners.push(this.#current)
    this.#origins.push(at)
  }
}
