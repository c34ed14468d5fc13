import { wholeAddress } from '@octavo/theme'
import type { PlannedPage } from '../plan/plan-pages.ts'

/** Addresses in a sitemap file; the protocol allows no more. */
const ADDRESSES_MAX = 50_000

/** Pages that search engines may know. Without the site's address there can be no sitemap. */
export function sitemapXml(
  pages: readonly PlannedPage[],
  base: string,
  options: { readonly trailingSlash: boolean },
): string {
  const entries = pages
    .slice(0, ADDRESSES_MAX)
    .map(({ url }) => `  <url><loc>${escapeXml(wholeAddress(base, url, options))}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n')
}

export function robotsTxt(base: string | undefined): string {
  const sitemap = base === undefined ? [] : [`Sitemap: ${wholeAddress(base, '/sitemap.xml')}`]
  return ['User-agent: *', 'Allow: /', ...sitemap, ''].join('\n')
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
