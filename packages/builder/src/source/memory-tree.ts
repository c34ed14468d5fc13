import type { SourceTree } from './source-tree.ts'

export type MemoryTreeOptions = {
  /** The time of each file's last change as ISO 8601, by path. */
  readonly history?: Readonly<Record<string, string>>
}

/** Creates a tree of files in memory. */
export function memoryTree(
  files: Readonly<Record<string, string | Uint8Array>>,
  { history = {} }: MemoryTreeOptions = {},
): SourceTree {
  const contents = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? Buffer.from(content) : Buffer.from(content),
    ]),
  )
  return {
    files: [...contents.keys()].toSorted(),
    folder: undefined,
    read: (path) => contents.get(path)?.toString('utf8'),
    // Files in memory never change.
    stampOf: (path) => (contents.has(path) ? 'memory' : ''),
    readBytes: (path) => contents.get(path),
    readHead: (path, lengthMax) => contents.get(path)?.subarray(0, lengthMax),
    changedAt: (path) => (Object.hasOwn(history, path) ? history[path] : undefined),
    diagnostics: [],
  }
}
