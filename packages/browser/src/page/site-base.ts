import type { SiteEvent } from '@octavo/model/site-event'

/** The site's base path without a trailing slash. Scripts are two folders below it. */
export const SITE_BASE = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/** Adds the base path to a path of the site. Links in pages already have it. */
export function siteAddress(path: string): string {
  const isOurs = path.startsWith('/') && !path.startsWith('//')
  return isOurs ? SITE_BASE + path : path
}

/** Returns the page path as the host knows it, without the base path and a trailing slash. */
export function pagePath(pathname: string): string {
  return pathname.slice(SITE_BASE.length).replace(/(?<=.)\/$/, '') || '/'
}

/**
 * Dispatches an event about a reader's action. Only hosts that collect statistics add a script that
 * listens (`events/listener.ts`). The function is in this file because all callers load the file
 * anyway.
 */
export function reportEvent(event: SiteEvent): void {
  document.dispatchEvent(new CustomEvent('octavo-event', { detail: event }))
}
