import { type PageHeading, type PageNode, plainText } from '@octavo/content'

/** Returns the headings of a page, including the headings of responses, which are in tabs. */
export function headingsOf(nodes: readonly PageNode[]): readonly PageHeading[] {
  return nodes.flatMap((node, index) => {
    if (typeof node === 'string') return []
    if (node.kind === 'heading') {
      const count = countBelow(nodes.slice(index + 1))
      const heading = { level: node.level, id: node.id, text: plainText(node.children) }
      return [count > 1 ? { ...heading, count } : heading]
    }
    const isTab = node.kind === 'component' && /^Responses?$/.test(node.name)
    return isTab ? headingsOf(node.children) : []
  })
}

/** Counts the fields or responses below a heading, but not the fields inside of others. */
function countBelow(nodes: readonly PageNode[]): number {
  let count = 0
  for (const node of nodes) {
    if (typeof node === 'string') continue
    if (node.kind === 'heading') break
    if (node.kind !== 'component') continue
    if (node.name === 'ResponseField') count += 1
    if (node.name === 'Responses') count += node.children.length
  }
  return count
}
