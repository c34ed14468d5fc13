/**
 * The places of texts in their specification. Page data has texts without places, because few are
 * ever needed, so a text is looked up by its content. The first of several equal texts counts.
 */
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'

/** Maps an offset in a text to the offset in the specification's file. */
export type ToFileOffset = (offset: number) => number

/** Fields whose texts are written in Markdown or MDX. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['description', 'summary', 'content'])

export class TextPlaces {
  readonly #document: SpecDocument
  #texts: ReadonlyMap<string, NodeId> | undefined

  constructor({ document }: Specification) {
    this.#document = document
  }

  /** Undefined for a text that is not in the specification. */
  find(text: string): ToFileOffset | undefined {
    this.#texts ??= indexTexts(this.#document)
    const node = this.#texts.get(text)
    return node === undefined ? undefined : this.#document.offsets(node)
  }
}

function indexTexts(document: SpecDocument): ReadonlyMap<string, NodeId> {
  const { tape } = document
  const texts = new Map<string, NodeId>()
  // Recursion stays within the nesting limit.
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
