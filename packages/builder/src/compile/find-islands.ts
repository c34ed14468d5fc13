import type { PageNode } from '@octavo/content'

/** Code in the page itself that runs in the browser, as opposed to components in imported files. */
export type IslandCode = {
  readonly file: string
  /** The name of the code's island, which is unique in the file. */
  readonly name: string
  readonly text: string
  readonly line: number
  readonly column: number
}

/**
 * Returns the files that contain components for the page's islands, and the code in the page
 * itself.
 */
export function findIslands(nodes: readonly PageNode[]): {
  readonly islands: readonly string[]
  readonly islandCode: readonly IslandCode[]
} {
  const files = new Set<string>()
  const code = new Map<string, IslandCode>()
  collect(nodes)
  return { islands: [...files].toSorted(), islandCode: [...code.values()] }

  function collect(list: readonly PageNode[]): void {
    for (const node of list) {
      if (typeof node === 'string' || !('children' in node)) continue
      if (node.kind === 'island') {
        const { file, name } = node.source
        files.add(file)
        if (node.code !== undefined) {
          const { text, line, column } = node.code
          code.set(`${file} ${name}`, { file, name, text, line, column })
        }
      }
      collect(node.children)
      if ('slots' in node) for (const slot of Object.values(node.slots ?? {})) collect(slot)
    }
  }
}
