import type { Navigation, NavNode } from './navigation.ts'
import { breadcrumbs, pageNeighbors } from './page-context.ts'

/**
 * Returns the resolved navigation as plain data, without references from nodes to their parents.
 */
export function navigationJson(navigation: Navigation): unknown {
  return nodeJson(navigation.root)
}

function nodeJson(node: NavNode): unknown {
  if (node.type === 'page') {
    const { parent, section, position, ...own } = node
    const { previous, next } = pageNeighbors(node)
    return {
      ...own,
      breadcrumbs: breadcrumbs(node),
      ...(previous && { previous: previous.path }),
      ...(next && { next: next.path }),
    }
  }
  if (node.type === 'group') {
    const { parent, root, children, ...own } = node
    return { ...own, ...(root && { root: nodeJson(root) }), children: children.map(nodeJson) }
  }
  const { parent, pages, children, ...own } = node
  return { ...own, children: children.map(nodeJson) }
}
