import type { PageState, Spot } from '../page-state.ts'
import type { PageNode } from './page-tree.ts'

/** The level of the page title. */
const TITLE_LEVEL = 1
/** The level to assume after content that may contain headings, so that any level may follow. */
const ANY_LEVEL = 6
/** Components whose titles may be headings. */
const TITLED = new Set(['Steps', 'Update', 'Tabs', 'AccordionGroup', 'Accordion', 'View'])

const WRAPPERS = new Set(['div', 'section', 'article', 'main', 'center'])

/**
 * Reports headings that skip a level, which confuses readers who navigate by headings. Only
 * headings of the page itself are checked: the right level of a snippet's heading depends on the
 * page that uses it.
 */
export function checkHeadingOrder(page: PageState, nodes: readonly PageNode[], file: string): void {
  let above = TITLE_LEVEL
  let aboveSpot: Spot | undefined
  for (const node of unwrapped(nodes)) {
    if (node.kind !== 'heading') {
      if (mayContainHeadings(node)) above = ANY_LEVEL
      continue
    }
    const spot = page.headingSpots.get(node.id)
    if (node.level > above + 1 && spot?.source.file === file) {
      const upper = aboveSpot === undefined ? 'the page title' : placed(above, aboveSpot, file)
      const skipped = node.level === above + 2 ? 'a level is skipped' : 'levels are skipped'
      page.report('content/heading-order', spot, {
        message: `A heading of level ${node.level} follows ${upper}; ${skipped}.`,
        hint: hintFor({ above, level: node.level, aboveSpot }),
      })
    }
    above = node.level
    aboveSpot = spot
  }
}

type Block = Exclude<PageNode, string>

/** Replaces each plain wrapper, such as a `<div id>` around a heading, with its children. */
function* unwrapped(nodes: readonly PageNode[]): Generator<Block> {
  for (const node of nodes) {
    if (typeof node === 'string') continue
    if (node.kind === 'element' && WRAPPERS.has(node.tag)) yield* unwrapped(node.children)
    else yield node
  }
}

function placed(level: number, { source, offset }: Spot, file: string): string {
  const where = source.file === file ? '' : ` of \`${source.file}\``
  return `a heading of level ${level} on line ${lineOf({ source, offset })}${where}`
}

function lineOf({ source, offset }: Spot): number {
  return source.position(offset).line
}

type Skipping = {
  readonly above: number
  readonly level: number
  readonly aboveSpot: Spot | undefined
}

function hintFor({ above, level, aboveSpot }: Skipping): string {
  // A `#` heading on a page is often not a section but a label, or a comment in code without a
  // fence.
  if (above === TITLE_LEVEL && aboveSpot !== undefined)
    return `Lower the heading on line ${lineOf(aboveSpot)}, which has the level of the page title, or raise this one and its sibling headings.`
  const missing =
    level === above + 2 ? 'a heading of the skipped level' : 'headings of the skipped levels'
  // Changing only one heading would place it above its siblings, so they must change together.
  return `Write \`${'#'.repeat(above + 1)}\`, and also raise its sibling headings and the headings below them, or add ${missing} above it.`
}

function mayContainHeadings(node: Block): boolean {
  if (node.kind === 'heading' || node.kind === 'island') return true
  if (node.kind === 'component' && TITLED.has(node.name)) return true
  if (!('children' in node)) return false
  return node.children.some((child) => typeof child !== 'string' && mayContainHeadings(child))
}
