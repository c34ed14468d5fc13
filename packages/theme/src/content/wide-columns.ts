import { type ElementNode, type PageNode, plainText } from '@octavo/content'

/**
 * The minimum number of columns for which widths are set; for two columns, browsers choose good
 * widths.
 */
const COLUMNS_MIN = 3
/** A cell with at least this many characters counts as a sentence. */
const SENTENCE_MIN = 50

/**
 * Sets a readable width for columns of sentences. Names do not wrap, so a sentence next to several
 * columns of names would wrap at every word; with this width, the table scrolls instead.
 */
export function withWideColumns(table: ElementNode): ElementNode {
  const [head, ...parts] = table.children
  if (!isElement(head, 'thead')) return table
  const [titles] = cellsOf(head)
  if (titles === undefined || titles.length < COLUMNS_MIN) return table
  const rows = parts.flatMap((part) => (isElement(part, 'tbody') ? cellsOf(part) : []))
  const isWide = titles.map((_, column) =>
    rows.some((cells) => plainText(cells[column]?.children ?? []).length >= SENTENCE_MIN),
  )
  if (!isWide.includes(true)) return table
  const row = titles.map((cell, column) => (isWide[column] ? withClass(cell) : cell))
  const widened = { ...head, children: [{ ...element('tr'), children: row }] }
  return { ...table, children: [widened, ...parts] }
}

function element(tag: string): ElementNode {
  return { kind: 'element', tag, attributes: undefined, children: [] }
}

function withClass(cell: ElementNode): ElementNode {
  const names = [cell.attributes?.class, 'oct-wide'].filter((name) => typeof name === 'string')
  return { ...cell, attributes: { ...cell.attributes, class: names.join(' ') } }
}

/** Returns the cells of each row. */
function cellsOf({ children }: ElementNode): readonly (readonly ElementNode[])[] {
  return children
    .filter((row) => isElement(row, 'tr'))
    .map((row) => row.children.filter((cell) => isElement(cell, 'th', 'td')))
}

function isElement(node: PageNode | undefined, ...tags: readonly string[]): node is ElementNode {
  return typeof node === 'object' && node.kind === 'element' && tags.includes(node.tag)
}
