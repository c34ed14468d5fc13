import { type PageHeading, type PageNode, plainText } from '@octavo/content'

/** Returns the headings of a page, including the headings of responses, which are in tabs. */
export function headingsOf(nodes: readonly PageNode[]): readonly PageHeading[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    if (node.kind === 'heading')
      return [{ level: node.level, id: node.id, text: plainText(node.children) }]
    const isTab = node.kind === 'component' && /^Responses?$/.test(node.name)
    return isTab ? headingsOf(node.children) : []
  })
}
