import type { PageState, Spot } from '../page-state.ts'
import type { HeadingNode, PageNode } from '../tree/page-tree.ts'
import { lineText } from '../tree/plain-text.ts'

/** A heading with an id of its own, noted for the contents of the page. */
export function headingNode(
  page: PageState,
  heading: {
    readonly level: number
    readonly children: readonly PageNode[]
    readonly id: string | undefined
    readonly spot: Spot
  },
): HeadingNode {
  const { level, children, spot } = heading
  const isWritten = (node: PageNode) => typeof node === 'string' || !page.unwritten.has(node)
  // Of nothing but a picture or the like, whatever it says is its name.
  const text = lineText(children.filter(isWritten)) || lineText(children)
  const id = heading.id === undefined ? page.ids.fromText(text) : page.ids.unique(heading.id)
  if (heading.id !== undefined) page.noteId(heading.id, spot)
  page.headingSpots.set(id, spot)
  page.headings.push({ level, id, text })
  page.countNode()
  return { kind: 'heading', level, id, children }
}
