/** Determines which event is counted when a file of a site is sent or is missing. */
import { storable } from '../../platform/http/reader-body.ts'
import type { SiteView } from './find-file.ts'

export type Counted = {
  readonly event: 'view' | 'file' | 'not-found'
  /** The path without the site's base path. */
  readonly subject: string
}

type CountedView = Pick<SiteView, 'isPreview' | 'root'>

/** Returns false for previews, and for sites whose author disabled telemetry. */
export const isCountedSite = ({ isPreview, root }: CountedView) =>
  !isPreview && root.telemetry !== false

/** Returns the event for a sent file; undefined for scripts, images and similar files. */
export function countedFile(view: CountedView, path: string): Counted | undefined {
  if (!isCountedSite(view)) return undefined
  if (FOR_AGENTS.test(path)) return { event: 'file', subject: `/${path}` }
  const page = pageOfFile(path)
  return page === undefined ? undefined : { event: 'view', subject: page }
}

const FOR_AGENTS = /^(?:(?:.+\/)?llms(?:-full)?\.txt|(?:.+\/)?skill\.md|\.well-known\/.+)$/i

/**
 * Returns the event for a missing page. Returns undefined for missing scripts and images, which
 * `octavo check` finds.
 */
export function missingPage(view: CountedView, path: string | undefined): Counted | undefined {
  const isPage = path !== undefined && !/\.(?!html|md|txt)\w{1,5}$/.test(path)
  if (!isPage || !isCountedSite(view)) return undefined
  return { event: 'not-found', subject: `/${storable(path)}` }
}

/**
 * Returns the path of the page that a file contains as HTML or Markdown; undefined for other files.
 */
export function pageOfFile(path: string): string | undefined {
  if (path.startsWith('_octavo/')) return undefined
  if (path === 'index.html' || path === 'index.md') return '/'
  if (path.endsWith('/index.html')) return `/${path.slice(0, -'/index.html'.length)}`
  return path.endsWith('.md') ? `/${path.slice(0, -'.md'.length)}` : undefined
}
