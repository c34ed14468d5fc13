import type { PageState } from './page-state.ts'
import type { PageNode } from './page-tree.ts'

/** The frame shows the title of the page as the heading above all others. */
const TITLE_LEVEL = 1
/** After something that may bring headings of its own, any level may follow. */
const ANY_LEVEL = 6
/** Their titles become headings, or may. */
const TITLED = new Set(['Steps', 'Update', 'Tabs', 'AccordionGroup', 'Accordion', 'View'])

/**
 * Headings that skip a level: who reads by headings looks for the one between. Only headings of the
 * page itself are looked at; where those of a snippet stand is up to each page that uses it.
 */
export function checkHeadingOrder(page: PageState, nodes: readonly PageNode[], file: string): void {
  let above = TITLE_LEVEL
  for (const node of nodes) {
    if (typeof node === 'string') continue
    if (node.kind !== 'heading') {
      if (mayHoldHeadings(node)) above = ANY_LEVEL
      continue
    }
    const spot = page.headingSpots.get(node.id)
    if (node.level > above + 1 && spot?.source.file === file) {
      const wanted = '#'.repeat(above + 1)
      page.report('content/heading-order', spot, {
        message: `A heading of level ${node.level} stands below one of level ${above}; the level between is skipped.`,
        hint: `Write \`${wanted}\`, or put a heading of that level above it.`,
      })
    }
    above = node.level
  }
}

function mayHoldHeadings(node: Exclude<PageNode, string>): boolean {
  if (node.kind === 'heading' || node.kind === 'island') return true
  if (node.kind === 'component' && TITLED.has(node.name)) return true
  if (!('children' in node)) return false
  return node.children.some((child) => typeof child !== 'string' && mayHoldHeadings(child))
}
