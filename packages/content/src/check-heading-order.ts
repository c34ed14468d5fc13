import type { PageState, Spot } from './page-state.ts'
import type { PageNode } from './page-tree.ts'

/** The frame shows the title of the page as the heading above all others. */
const TITLE_LEVEL = 1
/** After something that may bring headings of its own, any level may follow. */
const ANY_LEVEL = 6
/** Their titles become headings, or may. */
const TITLED = new Set(['Steps', 'Update', 'Tabs', 'AccordionGroup', 'Accordion', 'View'])

const WRAPPERS = new Set(['div', 'section', 'article', 'main', 'center'])

/**
 * Headings that skip a level: who reads by headings looks for the one between. Only headings of the
 * page itself are looked at; where those of a snippet stand is up to each page that uses it.
 */
export function checkHeadingOrder(page: PageState, nodes: readonly PageNode[], file: string): void {
  let above = TITLE_LEVEL
  let aboveSpot: Spot | undefined
  /** Levels that stood on the page before the heading above. */
  const before = new Set<number>()
  const flat = [...unwrapped(nodes)]
  for (const [index, node] of flat.entries()) {
    if (node.kind !== 'heading') {
      if (mayHoldHeadings(node)) above = ANY_LEVEL
      continue
    }
    const spot = page.headingSpots.get(node.id)
    if (node.level > above + 1 && spot?.source.file === file) {
      const upper =
        aboveSpot === undefined ? 'the title of the page' : placed(above, aboveSpot, file)
      const skipped =
        node.level === above + 2 ? 'the level between is skipped' : 'the levels between are skipped'
      page.report('content/heading-order', spot, {
        message: `A heading of level ${node.level} stands below ${upper}; ${skipped}.`,
        hint:
          aboveSpot !== undefined && above === TITLE_LEVEL && before.has(node.level)
            ? `The one in line ${lineOf(aboveSpot)} is as high as the title of the page. Write it with more \`#\`, or in a fence if it is code.`
            : hintFor(flat, { above, level: node.level, index }),
      })
    }
    if (aboveSpot !== undefined) before.add(above)
    above = node.level
    aboveSpot = spot
  }
}

type Block = Exclude<PageNode, string>

/** What stands in a plain wrapper, such as a `<div id>` around a heading, stands on the page. */
function* unwrapped(nodes: readonly PageNode[]): Generator<Block> {
  for (const node of nodes) {
    if (typeof node === 'string') continue
    if (node.kind === 'element' && WRAPPERS.has(node.tag)) yield* unwrapped(node.children)
    else yield node
  }
}

function placed(level: number, { source, offset }: Spot, file: string): string {
  const where = source.file === file ? '' : ` of \`${source.file}\``
  return `one of level ${level}, in line ${lineOf({ source, offset })}${where}`
}

function lineOf({ source, offset }: Spot): number {
  return source.position(offset).line
}

type Skipping = { readonly above: number; readonly level: number; readonly index: number }

/** A heading alone would end up above those that stood beside it, so they are moved together. */
function hintFor(nodes: readonly Block[], { above, level, index }: Skipping): string {
  let beside = 0
  let inside = 0
  for (let next = index + 1; next < nodes.length; next += 1) {
    const node = nodes[next]
    if (node?.kind !== 'heading') continue
    if (node.level < level) break
    if (node.level === level) beside += 1
    else inside += 1
  }
  const all = beside === 1 ? 'the heading' : `the ${beside} headings`
  const others = beside === 0 ? '' : ` here and for ${all} of this level below`
  const deeper = inside === 0 ? '' : ', move those inside up too'
  const missing = level === above + 2 ? 'a heading of that level' : 'headings of those levels'
  return `Write \`${'#'.repeat(above + 1)}\`${others}${deeper}, or put ${missing} above it.`
}

function mayHoldHeadings(node: Block): boolean {
  if (node.kind === 'heading' || node.kind === 'island') return true
  if (node.kind === 'component' && TITLED.has(node.name)) return true
  if (!('children' in node)) return false
  return node.children.some((child) => typeof child !== 'string' && mayHoldHeadings(child))
}
