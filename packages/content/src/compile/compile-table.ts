import type { MdastNode } from 'satteri'
import type { PageNode } from '../tree/page-tree.ts'
import { compileChildren } from './compile-markdown.ts'
import type { Reading } from './reading.ts'

type Node<Type extends MdastNode['type']> = Extract<MdastNode, { type: Type }>

/** Compiles a table; its first row is the header. */
export function compileTable(reading: Reading, table: Node<'table'>): PageNode {
  const [head, ...rows] = table.children
  const align = table.align ?? []
  const parts: PageNode[] = []
  if (head !== undefined) parts.push(part('thead', [row(reading, head, { tag: 'th', align })]))
  if (rows.length > 0) {
    parts.push(
      part(
        'tbody',
        rows.map((line) => row(reading, line, { tag: 'td', align })),
      ),
    )
  }
  return part('table', parts)
}

function part(tag: string, children: readonly PageNode[]): PageNode {
  return { kind: 'element', tag, attributes: undefined, children }
}

type Cells = { readonly tag: 'th' | 'td'; readonly align: readonly (string | null | undefined)[] }

function row(reading: Reading, line: Node<'tableRow'>, { tag, align }: Cells): PageNode {
  const cells = line.children.map((cell, index): PageNode => {
    reading.page.countNode()
    const side = align[index]
    const attributes = side === null || side === undefined ? undefined : { align: side }
    return { kind: 'element', tag, attributes, children: compileChildren(reading, cell.children) }
  })
  return part('tr', cells)
}
