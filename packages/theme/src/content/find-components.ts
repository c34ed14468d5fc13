import type { ComponentNode, PageNode } from '@octavo/content'

/**
 * Returns all components with a given name on a page, in order, except those nested in each other.
 */
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
