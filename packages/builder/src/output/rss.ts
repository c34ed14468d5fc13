import { absoluteUrl } from '@octavo/theme'
import type { PageUpdate } from '../compile/page-updates.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { escapeXml } from './sitemap.ts'

/**
 * Prints the entries of a changelog page as a feed. URLs are absolute if the site's URL is known.
 */
export function rssXml(
  page: PlannedPage,
  updates: readonly PageUpdate[],
  base: string | undefined,
): string {
  const at = (path: string) => escapeXml(base === undefined ? path : absoluteUrl(base, path))
  const items = updates.map(({ id, title, description, html }) =>
    [
      '    <item>',
      `      <title>${escapeXml(title)}</title>`,
      `      <link>${at(`${page.url}#${id}`)}</link>`,
      `      <guid isPermaLink="false">${escapeXml(`${page.path}#${id}`)}</guid>`,
      ...(description === '' ? [] : [`      <category>${escapeXml(description)}</category>`]),
      `      <description>${escapeXml(html)}</description>`,
      '    </item>',
    ].join('\n'),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0">',
    '  <channel>',
    `    <title>${escapeXml(page.title)}</title>`,
    `    <link>${at(page.url)}</link>`,
    `    <description>${escapeXml(page.description ?? page.title)}</description>`,
    ...items,
    '  </channel>',
    '</rss>',
    '',
  ].join('\n')
}
