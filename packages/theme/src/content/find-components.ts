import type { ComponentNode, PageNode } from '@octavo/content'

/** All components of a name on a page, in their order; not those inside one another. */
export function findComponents(
  nodes: readonly PageNode[],
  name: string,
  found: ComponentNode[] = [],
): readonly ComponentNode[] {
  for (const node of nodes) {
    if (typeof node === 'string' || !('children' in node)) continue
    if (node.kind === 'component' && node.name === name) found.push(node)
    else findComponents(node.children, name, found)
  }
  return found
}
