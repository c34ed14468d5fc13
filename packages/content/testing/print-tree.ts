import type { Data, PageNode } from '../src/tree/page-tree.ts'

/** Prints a page tree as readable text: one node per line, children indented. */
export function printTree(nodes: readonly PageNode[]): string {
  const lines: string[] = []
  for (const node of nodes) print(node, '', lines)
  return lines.length === 0 ? '(nothing)\n' : `${lines.join('\n')}\n`
}

function print(node: PageNode, indent: string, lines: string[]): void {
  if (typeof node === 'string') {
    lines.push(`${indent}${JSON.stringify(node)}`)
    return
  }
  const inner = `${indent}  `
  switch (node.kind) {
    case 'element':
      lines.push(`${indent}${node.tag}${pairs(node.attributes ?? {})}`)
      break
    case 'heading':
      lines.push(`${indent}heading ${node.level} #${node.id}`)
      break
    case 'code':
      lines.push(
        `${indent}code ${node.language ?? '(none)'}${pairs(node.options as Record<string, Data>)}`,
      )
      for (const line of node.text.split('\n')) lines.push(`${inner}| ${line}`.trimEnd())
      return
    case 'math':
      lines.push(`${indent}math${node.display ? ' display' : ''} ${JSON.stringify(node.text)}`)
      return
    case 'component':
    case 'island': {
      const from = node.kind === 'island' ? ` from ${node.source.file}` : ''
      lines.push(
        `${indent}${node.kind === 'island' ? 'island ' : ''}<${node.name}>${from}${pairs(node.props)}`,
      )
      if (node.kind === 'island' && node.code !== undefined)
        for (const line of node.code.text.split('\n')) lines.push(`${inner}| ${line}`.trimEnd())
      for (const [name, slot] of Object.entries(node.slots ?? {})) {
        lines.push(`${inner}:${name}`)
        for (const child of slot) print(child, `${inner}  `, lines)
      }
    }
  }
  for (const child of node.children) print(child, inner, lines)
}

function pairs(data: Readonly<Record<string, Data | undefined>>): string {
  return Object.entries(data)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}=${JSON.stringify(value)}`))
    .join('')
}
