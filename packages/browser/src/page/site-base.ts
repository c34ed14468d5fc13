import type { SiteEvent } from '@octavo/model/site-event'

/** Where the site begins, without a slash at the end: scripts are two folders below it. */
export const SITE_BASE = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/** An address of the site that a page did not write itself: those in pages have the base already. */
export function siteAddress(path: string): string {
  const isOurs = path.startsWith('/') && !path.startsWith('//')
  return isOurs ? SITE_BASE + path : path
}

/** A page as the host knows it: its address without the base path, and without a slash at the end. */
export function pagePath(pathname: string): string {
  return pathname.slice(SITE_BASE.length).replace(/(?<=.)\/$/, '') || '/'
}

/**
 * Says what a reader did. Only the script of a host that counts listens (`events/listener.ts`); elsewhere
 * nothing happens. It stands here because those who say something load this file anyway.
 */
export function tellHost(event: SiteEvent): void {
  document.dispatchEvent(new CustomEvent('octavo-event', { detail: event }))
}
