/**
 * Creates the response for an agent that requests a missing page: Markdown with the nearest pages.
 */
import { nearest, runIndexOf } from '@octavo/model'
import type { BlobCache } from './blob-cache.ts'
import { findFile, type SiteView } from './find-file.ts'

const NEAREST_MAX = 3

/** Returns the Markdown. `path` does not include the base path or the leading slash. */
export async function missingMarkdown(
  cache: BlobCache,
  view: SiteView,
  path: string,
): Promise<string> {
  const link = (file: string) => {
    const url = encodeURI(`${view.basePath}/${file}`)
    return `[${url}](${url})`
  }
  const near = await nearestPages(cache, view, path.endsWith('.md') ? path : `${path}.md`)
  const list = await findFile(cache, view, 'llms.txt')
  const lines = [
    '# This page does not exist',
    ...(near.length === 0 ? [] : [`The nearest pages are ${near.map(link).join(', ')}.`]),
    ...(list === undefined ? [] : [`All pages are listed in ${link('llms.txt')}.`]),
  ]
  return `${lines.join('\n\n')}\n`
}

/**
 * Returns the pages whose path is most similar. Only reads the run of the manifest where the page
 * would be, so that requests for missing pages do not cost more than others.
 */
async function nearestPages(
  cache: BlobCache,
  { root, isReadable }: SiteView,
  path: string,
): Promise<readonly string[]> {
  const run = await cache.run(root, Math.max(0, runIndexOf(root, path)))
  const pages = run
    .all()
    .filter((entry) => entry.path.endsWith('.md') && isReadable(entry.access))
    .map((entry) => entry.path)
  const guess = nearest(path, pages)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const siblings = folder === '' ? [] : pages.filter((page) => page.startsWith(folder))
  return [...new Set(guess === undefined ? siblings : [guess, ...siblings])].slice(0, NEAREST_MAX)
}
