import type { SiteEvent } from '@octavo/model/site-event'

/** The site's base path without a trailing slash; scripts are two folders below it. */
export const SITE_BASE = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/**
 * Adds the base path to a path of the site. Not needed for links in pages, which already have it.
 */
export function siteAddress(path: string): string {
  const isOurs = path.startsWith('/') && !path.startsWith('//')
  return isOurs ? SITE_BASE + path : path
}

/** The page path as the host knows it: without base path and trailing slash. */
export function pagePath(pathname: string): string {
  return pathname.slice(SITE_BASE.length).replace(/(?<=.)\/$/, '') || '/'
}

/**
 * Dispatches an event about a reader's action. Only the script of a host that collects statistics
 * listens (`events/listener.ts`). It is here because all callers load this file anyway.
 */
export function reportEvent(event: SiteEvent): void {
  document.dispatchEvent(new CustomEvent('octavo-event', { detail: event }))
}
