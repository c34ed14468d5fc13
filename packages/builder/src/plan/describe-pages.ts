import type { PlannedPage } from './plan-pages.ts'

/** What pages say of themselves, or their operations of them, by page path. */
export function describePages(pages: readonly PlannedPage[]): (path: string) => string | undefined {
  let known: Map<string, string | undefined> | undefined
  return (path) => {
    // Few sites list their pages, so the table is made only when it is asked for.
    known ??= new Map(pages.map((page) => [page.path, page.description]))
    return known.get(path)
  }
}
