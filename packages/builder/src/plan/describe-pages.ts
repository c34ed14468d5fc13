import type { PlannedPage } from './plan-pages.ts'

/** Returns a function that looks up the description of a page or its operation by page path. */
export function describePages(pages: readonly PlannedPage[]): (path: string) => string | undefined {
  let known: Map<string, string | undefined> | undefined
  return (path) => {
    // The map is created on demand, since few sites show directories.
    known ??= new Map(pages.map((page) => [page.path, page.description]))
    return known.get(path)
  }
}
