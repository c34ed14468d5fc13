/**
 * Finds pages that readers can open only by URL: they are neither in the navigation nor linked from
 * a reachable page.
 */
import { diagnose, isInternalLink, type Report } from '@octavo/model'
import { canonicalBase } from '@octavo/theme'
import type { LoadedSite } from '../load/load-site.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { targetOfLink } from './check-links.ts'
import type { CheckedPage } from './checked-page.ts'
import { configLinks, pathOfHref } from './config-links.ts'
import type { SiteAddresses } from './site-addresses.ts'

export type OrphanCheck = {
  readonly site: LoadedSite
  readonly tree: SourceTree
  readonly pages: readonly CheckedPage[]
  readonly addresses: SiteAddresses
  readonly report: Report
}

/** Matches strings that may be addresses, in files that are not compiled as pages. */
const ADDRESS = /["'`(]((?:\.{0,2}\/|https?:)[^\s"'`()<>]*)/g

export function checkOrphans(check: OrphanCheck): void {
  const unlisted = check.pages.filter(isUnlisted)
  // Usually the navigation lists every page.
  if (unlisted.length === 0) return
  const found = findable(check)
  const redirected = destinations(check)
  for (const page of unlisted) {
    const { path, file = path } = page.page
    // A specification that could not be read may list the page's operation.
    if (found.has(page) || check.addresses.mayBeGenerated(`/${path}`)) continue
    const how = redirected.has(page)
      ? '. Only redirects point to it.'
      : '. Readers can reach it only by its URL.'
    report(file, `"${path}" is not in the navigation, and no listed page links to it${how}`)
  }

  function report(file: string, message: string): void {
    const hint =
      'List it in `navigation`, or link to it. `hidden: true` in its frontmatter removes this note and excludes the page from search engines.'
    check.report(diagnose('nav/orphan-page', { file, line: 1, column: 1 }, { message, hint }))
  }
}

/**
 * Returns false for listed pages, for pages that are hidden on purpose and for pages that only
 * represent a link.
 */
function isUnlisted({ page }: CheckedPage): boolean {
  const { hidden, url } = page.frontmatter.fields
  const isIntended = hidden === true || url !== undefined || page.path === 'index'
  return page.entry === undefined && !isIntended
}

/**
 * Returns the pages in the navigation, those that docs.json links to, and all pages that these link
 * to, directly or indirectly.
 */
function findable({ site, tree, pages, addresses }: OrphanCheck): ReadonlySet<CheckedPage> {
  const base = canonicalBase({ config: site.config })
  const found = new Set(pages.filter(({ page }) => page.entry !== undefined))
  const visit = (url: string, file: string): void => {
    const isOwn = base !== undefined && url.startsWith(`${base}/`)
    const path = targetOfLink(isOwn ? url.slice(base.length) : url, file)?.path
    const page = path === undefined ? undefined : addresses.pageAt(path)
    if (page !== undefined) found.add(page)
  }
  visit('/', '')
  for (const { link } of site.navigation.entries) if (link !== undefined) visit(link, '')
  if (site.configRoot !== undefined) {
    for (const { value } of configLinks(site.configRoot))
      visit(isInternalLink(value) ? pathOfHref(value) : value.trim(), '')
  }
  visitText(site.config.banner?.content ?? '', '')
  // A set's iterator also visits entries that are added during the iteration.
  for (const { page, links, files, hasUnknownIds, failed } of found) {
    const { file = page.path } = page
    for (const { kind, url } of links) if (kind === 'link') visit(url, file)
    // Some links of such a page are unknown, so strings that look like addresses count too.
    if (hasUnknownIds || failed)
      for (const part of [file, ...files]) visitText(tree.read(part) ?? '', part)
  }
  return found

  function visitText(text: string, file: string): void {
    for (const [, url = ''] of text.matchAll(ADDRESS)) visit(url, file)
  }
}

/** Returns the pages that are targets of redirects. */
function destinations({ site, addresses }: OrphanCheck): ReadonlySet<CheckedPage> {
  const pages = site.redirects.map(({ destination }) => addresses.pageAt(pathOfHref(destination)))
  return new Set(pages.filter((page) => page !== undefined))
}
