/**
 * Finds the places of strings in their specification. Page data does not contain these places,
 * because they are rarely needed, so a string is found by its content. If several strings are
 * equal, the first is used.
 */
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'

/** Maps an offset in a string to the offset in the specification's file. */
export type ToFileOffset = (offset: number) => number

/** Fields whose text is Markdown or MDX. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['description', 'summary', 'content'])

export class TextPlaces {
  readonly #document: SpecDocument
  #texts: ReadonlyMap<string, NodeId> | undefined

  constructor({ document }: Specification) {
    this.#document = document
  }

  /** Returns undefined for text that is not in the specification. */
  find(text: string): ToFileOffset | undefined {
    this.#texts ??= indexTexts(this.#document)
    const node = this.#texts.get(text)
    return node === undefined ? undefined : this.#document.offsets(node)
  }
}

function indexTexts(document: SpecDocument): ReadonlyMap<string, NodeId> {
  const { tape } = document
  const texts = new Map<string, NodeId>()
  // The recursion is limited by the nesting limit of documents.
  const visit = (container: NodeId): void => {
    const isObject = tape.kind(container) === KIND.object
    const end = tape.next(container)
    for (let at = container + 1; at < end; ) {
      const value = isObject ? at + 1 : at
      if (tape.kind(value) <= KIND.array) visit(value)
      else if (isObject && tape.kind(value) === KIND.string) {
        const text = TEXT_FIELDS.has(document.text(at)) ? document.text(value) : undefined
        if (text !== undefined && !texts.has(text)) texts.set(text, value)
      }
      at = tape.next(value)
    }
  }
  visit(document.root)
  return texts
}
