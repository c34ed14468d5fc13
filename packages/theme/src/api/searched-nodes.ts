import type { PageNode } from '@octavo/content'

/** Parts that repeat the operation, or that only the interface needs. */
const OMITTED = /^oct-(?:endpoint|media-type|choice|expandable oct-deeper)\b/
const SAMPLES = new Set(['RequestExample', 'ResponseExample'])

/**
 * Returns what search finds on an API page: the text of the specification, without samples and
 * without labels of the interface, which would fill the snippets.
 */
export function searchedNodes(nodes: readonly PageNode[]): readonly PageNode[] {
  return nodes.flatMap((node): readonly PageNode[] => {
    if (typeof node === 'string') return [node]
    if (node.kind === 'component') {
      if (SAMPLES.has(node.name)) return []
      const children = searchedNodes(node.children)
      // Its title only says that there are more fields.
      return node.name === 'Expandable' ? children : [{ ...node, children }]
    }
    if (node.kind !== 'element') return [node]
    const { class: look } = node.attributes ?? {}
    if (typeof look === 'string' && OMITTED.test(look)) return []
    return [{ ...node, children: searchedNodes(node.children) }]
  })
}
