import type { LoadedSite } from '../load/load-site.ts'

/** What pages say of themselves in their frontmatter, by page path. */
export function describePages(site: LoadedSite): (path: string) => string | undefined {
  let known: Map<string, string | undefined> | undefined
  return (path) => {
    // Few sites list their pages, so the table is made only when it is asked for.
    known ??= new Map(site.pages.map((page) => [page.path, page.frontmatter.fields.description]))
    return known.get(path)
  }
}
