import type { PlannedPage } from './plan-pages.ts'

/** Returns the descriptions of pages or their operations, by page path. */
export function describePages(pages: readonly PlannedPage[]): (path: string) => string | undefined {
  let known: Map<string, string | undefined> | undefined
  return (path) => {
    // Created on demand, since few sites show directories.
    known ??= new Map(pages.map((page) => [page.path, page.description]))
    return known.get(path)
  }
}
