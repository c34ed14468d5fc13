import { CONTENT_LIMITS } from './content-limits.ts'
import type { PageNode } from './page-tree.ts'

/**
 * The maximum depth. It is higher than the limit for pages, since components nest their children
 * deeper.
 */
const DEPTH_MAX = 2 * CONTENT_LIMITS.treeDepthMax

/**
 * Returns why a tree is too large, or undefined. A loop in an expression can nest markup thousands
 * of times, and a list can contain the same markup many times. Such a tree is cheap to create but
 * very expensive to walk.
 */
export function checkTree(roots: readonly PageNode[]): string | undefined {
  let count = 0
  // Each level is a list of children with the index of the next one to visit.
  const levels: { readonly nodes: readonly PageNode[]; next: number }[] = [
    { nodes: roots, next: 0 },
  ]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const node = level.nodes[level.next]
    if (node === undefined) {
      levels.pop()
      continue
    }
    level.next += 1
    count += 1
    if (count > 2 * CONTENT_LIMITS.nodesMax)
      return 'The page has more elements than the limit allows'
    if (typeof node === 'string' || !('children' in node)) continue
    if (levels.length > DEPTH_MAX) return 'The page is nested deeper than the limit allows'
    if (node.children.length > 0) levels.push({ nodes: node.children, next: 0 })
    if ('slots' in node && node.slots !== undefined) {
      for (const slot of Object.values(node.slots)) levels.push({ nodes: slot, next: 0 })
    }
  }
  return undefined
}
