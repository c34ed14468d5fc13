/** Serves `guides/index` at `/guides` unless that address is already used (decision 0028). */
import { folderOfIndex, pageUrl } from '../routes/page-path.ts'
import { normalizeRedirectPath, type Redirect } from '../routes/redirects.ts'
import type { UnplacedPage } from './nav-page.ts'
import type { NavPage } from './navigation.ts'
import type { KnownPage } from './site-facts.ts'

type Taken = {
  readonly pages: ReadonlyMap<string, KnownPage>
  readonly listed: ReadonlyMap<string, NavPage>
  readonly redirects: readonly Redirect[]
}

export function assignIndexUrls(
  entries: readonly UnplacedPage[],
  { pages, listed, redirects }: Taken,
): void {
  const sources = new Set(redirects.map(({ source }) => normalizeRedirectPath(source)))
  for (const page of entries) {
    const folder = page.missing ? undefined : folderOfIndex(page.path)
    if (folder === undefined || page.url !== pageUrl(page.path)) continue
    const isPage = pages.get(folder)?.isPageOnlyWhenListed === false || listed.has(folder)
    const url = pageUrl(folder)
    if (!isPage && !sources.has(url)) page.url = url
  }
}
