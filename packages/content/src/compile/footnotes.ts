import type { MdastNode } from 'satteri'
import type { ElementNode, PageNode } from '../tree/page-tree.ts'
import { compileChildren } from './compile-markdown.ts'
import { definitionsOf, type Note, type Reading } from './reading.ts'

/** Returns the number of a footnote as a link to the note at the end of the page. */
export function footnoteReference(
  reading: Reading,
  node: Extract<MdastNode, { type: 'footnoteReference' }>,
): PageNode {
  reading.page.countNode()
  if (!definitionsOf(reading).footnotes.has(node.identifier)) {
    return `[^${node.label ?? node.identifier}]`
  }
  const note = noteOf(reading, node.identifier)
  const id = reading.page.ids.unique(`${note.id}-from`)
  note.references.push(id)
  const link = anchor(`#${note.id}`, id, String(note.number))
  return { kind: 'element', tag: 'sup', attributes: undefined, children: [link] }
}

function noteOf(reading: Reading, identifier: string): Note {
  const { notes, page } = reading
  const known = notes.get(identifier)
  if (known !== undefined) return known
  const number = notes.size + 1
  const note: Note = { number, id: page.ids.unique(`footnote-${number}`), references: [] }
  notes.set(identifier, note)
  return note
}

/** Returns all footnotes of a file: first the referenced ones, in the order of their references. */
export function footnoteSection(reading: Reading): readonly PageNode[] {
  if (reading.notes.size === 0 && !reading.file.parsed.text.includes('[^')) return []
  const { footnotes } = definitionsOf(reading)
  if (footnotes.size === 0) return []
  const items: PageNode[] = []
  // A footnote may refer to another one, so the set grows during the loop.
  const waiting = new Set([...reading.notes.keys(), ...footnotes.keys()])
  for (const identifier of waiting) {
    const written = footnotes.get(identifier)
    if (written === undefined) continue
    const note = noteOf(reading, identifier)
    const children = compileChildren(reading, written.children)
    const back = note.references.flatMap((id) => [' ', anchor(`#${id}`, undefined, '↩')])
    items.push({
      kind: 'element',
      tag: 'li',
      attributes: { id: note.id },
      children: [...children, ...back],
    })
  }
  const list: ElementNode = { kind: 'element', tag: 'ol', attributes: undefined, children: items }
  return [{ kind: 'element', tag: 'section', attributes: { class: 'footnotes' }, children: [list] }]
}

function anchor(href: string, id: string | undefined, text: string): ElementNode {
  const attributes: Record<string, string> = id === undefined ? { href } : { href, id }
  return { kind: 'element', tag: 'a', attributes, children: [text] }
}
