import type { Config } from '@octavo/model'
import { absoluteUrl } from '@octavo/theme'
import type { PlannedPage } from '../plan/plan-pages.ts'

/** The maximum number of URLs in a sitemap file, according to the protocol. */
const ADDRESSES_MAX = 50_000

/** Prints the list of pages for search engines. Requires that the site's URL is known. */
export function sitemapXml(
  pages: readonly PlannedPage[],
  base: string,
  options: { readonly trailingSlash: boolean },
): string {
  const entries = pages
    .slice(0, ADDRESSES_MAX)
    .map(({ url }) => `  <url><loc>${escapeXml(absoluteUrl(base, url, options))}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n')
}

type ContentSignals = NonNullable<NonNullable<Config['seo']>['contentSignals']>

const SIGNALS = [
  ['search', 'search'],
  ['ai-input', 'aiInput'],
  ['ai-train', 'aiTrain'],
] as const

export function robotsTxt(base: string | undefined, signals: ContentSignals = {}): string {
  const sitemap = base === undefined ? [] : [`Sitemap: ${absoluteUrl(base, '/sitemap.xml')}`]
  const pairs = SIGNALS.flatMap(([name, key]) => {
    const value = signals[key]
    return value === undefined ? [] : [`${name}=${value ? 'yes' : 'no'}`]
  })
  const line = pairs.length === 0 ? [] : [`Content-Signal: ${pairs.join(', ')}`]
  return ['User-agent: *', ...line, 'Allow: /', ...sitemap, ''].join('\n')
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
