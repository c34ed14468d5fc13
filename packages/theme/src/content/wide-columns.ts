import { type ElementNode, type PageNode, plainText } from '@octavo/content'

/** In two columns a browser finds good widths by itself. */
const COLUMNS_MIN = 3
/** Characters of a cell from which on it is a sentence. */
const SENTENCE_MIN = 50

/**
 * Columns of sentences keep a width that can be read. Names are not broken, so beside a few columns of
 * them a sentence would become a tower of words; the table scrolls instead.
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

/** The cells of each row. */
function cellsOf({ children }: ElementNode): readonly (readonly ElementNode[])[] {
  return children
    .filter((row) => isElement(row, 'tr'))
    .map((row) => row.children.filter((cell) => isElement(cell, 'th', 'td')))
}

function isElement(node: PageNode | undefined, ...tags: readonly string[]): node is ElementNode {
  return typeof node === 'object' && node.kind === 'element' && tags.includes(node.tag)
}
