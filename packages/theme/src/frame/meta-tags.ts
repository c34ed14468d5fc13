import type { Config } from '@octavo/model'
import type { PageView } from './frame-input.ts'

/** The canonical URL is a link element, not a meta tag. */
const NOT_A_TAG = new Set(['canonical'])

/** Returns the meta tags of the site, then of the deepest matching folder, then of the page. */
export function metaTags(
  view: Pick<PageView, 'path' | 'frontmatter'>,
  config: Config,
): Map<string, string> {
  const { metadata } = view.frontmatter
  const tags = new Map<string, string>()
  put(tags, config.seo?.metatags)
  const folder = config.seo?.paths
    ?.filter(({ path }) => isInFolder(view.path, path))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  put(tags, folder?.metatags)
  for (const name in metadata) {
    // A key without a colon is not a meta tag but the author's own data.
    if (!name.includes(':')) continue
    const value = metadata[name]
    if (typeof value === 'string' || typeof value === 'number') tags.set(name, String(value))
  }
  return tags
}

/** Returns true if the author sets an image for the page or for the whole site. */
export function hasImageTag(page: Pick<PageView, 'path' | 'frontmatter'>, config: Config): boolean {
  return metaTags(page, config).has('og:image')
}

function put(tags: Map<string, string>, written: Readonly<Record<string, string>> = {}): void {
  for (const name in written) {
    const value = written[name]
    if (value !== undefined && !NOT_A_TAG.has(name)) tags.set(name, value)
  }
}

function isInFolder(page: string, written: string): boolean {
  const folder = written.replaceAll(/^\/+|\/+$|\/?\*+$/g, '')
  return folder === '' || page === folder || page.startsWith(`${folder}/`)
}
