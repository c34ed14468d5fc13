/** Visits every page of the dashboard by following links, as a person would. */
import type { Page, Response } from 'playwright-core'

/**
 * The number of pages to visit per kind, since a failed build looks different from a successful
 * one.
 */
const PAGES_PER_KIND = 3
const PAGES_MAX = 150
/** Matches downloads and links that would end the session. */
const SKIPPED_URLS = /\.(?:ndjson|csv|json)(?:\?|$)|\/sign-out|\/log(?:\?|$)/

export type CrawlOptions = {
  readonly origin: string
  /** The paths where the crawl starts. */
  readonly from: readonly string[]
  /** Called for each page while it is open. */
  readonly onPage: (found: {
    readonly kind: string
    readonly url: URL
    readonly response: Response | null
  }) => Promise<void>
}

/** Visits all pages. Returns their URLs by kind. */
export async function crawlDashboard(
  page: Page,
  { origin, from, onPage }: CrawlOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const queue = from.map((path) => new URL(path, origin))
  for (let url = queue.shift(); url !== undefined && found.size < PAGES_MAX; url = queue.shift()) {
    const { pathname, href } = url
    const kind = kindOf(url)
    const seen = found.get(kind) ?? []
    const isOld = seen.some((one) => new URL(one).pathname === pathname)
    if (isOld || seen.length === PAGES_PER_KIND || SKIPPED_URLS.test(href)) continue
    found.set(kind, [...seen, href])
    const response = await page.goto(href)
    await onPage({ kind, url, response })
    const hrefs = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('a[href]')].map((link) => link.href)`,
    )
    queue.push(...hrefs.map((link) => new URL(link)).filter((link) => link.origin === origin))
  }
  return found
}

/** URLs with different ids or queries, such as a cursor or filter, are of the same kind. */
const kindOf = (url: URL) =>
  url.pathname.replaceAll(/[0-9A-HJKMNP-TV-Z]{26}|(?<=\/)(?:\d{6,}|(?:usr|prj|org)_\w+)/g, ':id')
