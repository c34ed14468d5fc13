/** Where search has the data of a page, and the key by which it recognizes the page. */
import { hashBytes } from '../../source/hash-bytes.ts'
import type { SearchedPage } from './indexed-page.ts'

export type SearchPlace = {
  readonly page: SearchedPage
  /** The number of the folder with the page's files, and the page's place in it. */
  readonly folder: number
  readonly index: number
  /** The names of the scopes that contain the page. */
  readonly scopes: readonly string[]
}

/** Returns the name of a site as it appears in titles and queries. */
export function searchName(siteName: string): string {
  return siteName.replace(/\s+(?:docs?|documentation)$/i, '').trim()
}

/** `content` is a key of the page's content. */
export function searchKey(page: SearchedPage, siteName: string, content: string): string {
  return hashBytes(JSON.stringify([page, siteName, content]))
}
