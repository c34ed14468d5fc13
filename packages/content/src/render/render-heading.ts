import type { PageState, Spot } from '../page-state.ts'
import type { HeadingNode, PageNode } from '../tree/page-tree.ts'
import { lineText } from '../tree/plain-text.ts'

/** Creates a heading with a unique id, and records it for the table of contents. */
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
  const isWritten = (node: PageNode) =>
    typeof node === 'string' || !page.excludedFromHeading.has(node)
  // A heading without text of its own, such as one with only an image, is named after its whole
  // content.
  const text = lineText(children.filter(isWritten)) || lineText(children)
  const id = heading.id === undefined ? page.ids.fromText(text) : page.ids.unique(heading.id)
  if (heading.id !== undefined) page.recordId(heading.id, spot)
  page.headingSpots.set(id, spot)
  page.headings.push({ level, id, text })
  page.countNode()
  return { kind: 'heading', level, id, children }
}
