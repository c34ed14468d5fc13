/** Looks up the pages of a library by URL, folder or operation. */
import { nearest } from '@octavo/model'
import type { LibraryPage, OperationMatch, SiteLibrary, WantedPages } from './site-library.ts'

/** Maximum operations to suggest when the requested one does not exist. */
const SIMILAR_MAX = 20

export function createPageMap(
  all: readonly LibraryPage[],
): Pick<SiteLibrary, 'pages' | 'findPage' | 'findOperation'> {
  const byUrl = new Map(all.map((page) => [page.url, page]))

  return {
    async pages({ from = 0, limit, lengthMax = Number.POSITIVE_INFINITY, ...wanted }) {
      const matching = all.filter((page) => isWanted(page, wanted))
      let length = 0
      const pages: LibraryPage[] = []
      for (const page of matching.slice(from, from + limit)) {
        length += page.url.length + page.title.length
        if (length > lengthMax) break
        pages.push(page)
      }
      return { pages, total: matching.length }
    },

    async findPage(url) {
      const page = byUrl.get(url) ?? all.find((one) => decoded(one.url) === decoded(url))
      return { page, nearest: page === undefined ? nearest(url, [...byUrl.keys()]) : undefined }
    },

    findOperation: async (name) => findOperation(all, name),
  }
}

/** Checks whether a page is at a path or below it. Returns true if no path is given. */
export function isUnder({ url }: LibraryPage, path: string | undefined): boolean {
  if (path === undefined) return true
  const start = `/${path.replace(/^\/+|\/+$/g, '')}`
  return start === '/' || url === start || url.startsWith(`${start}/`)
}

function isWanted(
  page: LibraryPage,
  { under, startsWith = '' }: Pick<WantedPages, 'under' | 'startsWith'>,
): boolean {
  return page.url.startsWith(startsWith) && isUnder(page, under)
}

function findOperation(pages: readonly LibraryPage[], name: string): OperationMatch {
  const operations = pages.flatMap(({ operation }) => operation ?? [])
  const wanted = bareOperation(name)
  const page = pages.find(
    ({ operation }) => operation !== undefined && bareOperation(operation) === wanted,
  )
  const path = name.slice(name.indexOf(' ') + 1)
  const similar = operations.filter((operation) => operation.includes(path))
  return { page, similar: (similar.length > 0 ? similar : operations).slice(0, SIMILAR_MAX) }
}

/** Removes the names of path parameters, so that `/plants/{id}` equals `/plants/{plantId}`. */
function bareOperation(operation: string): string {
  return operation.replaceAll(/\{[^{}/]*\}/g, '{}').replace(/\/$/, '')
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
