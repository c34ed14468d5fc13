import { CONTENT_LIMITS } from './content-limits.ts'
import type { PageNode } from './page-tree.ts'

/** Components of authors may nest what they are given a little deeper than the page itself. */
const DEPTH_MAX = 2 * CONTENT_LIMITS.treeDepthMax

/**
 * What is wrong with the size of a tree, or nothing. A loop in an expression can put markup into
 * itself thousands of times, and a list can hold the same markup again and again: both cost nothing
 * to make, and everything to walk through.
 */
export function checkTree(roots: readonly PageNode[]): string | undefined {
  let count = 0
  // Each level is a list of children and how far it has been looked through.
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
    if (count > 2 * CONTENT_LIMITS.nodesMax) return 'The page has more elements than the limit'
    if (typeof node === 'string' || !('children' in node)) continue
    if (levels.length > DEPTH_MAX) return 'The page is nested deeper than the limit'
    if (node.children.length > 0) levels.push({ nodes: node.children, next: 0 })
    if ('slots' in node && node.slots !== undefined) {
      for (const slot of Object.values(node.slots)) levels.push({ nodes: slot, next: 0 })
    }
  }
  return undefined
}
