/** Where the site begins, without a slash at the end: scripts are two folders below it. */
export const SITE_BASE = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/** An address of the site that a page did not write itself: those in pages have the base already. */
export function siteAddress(path: string): string {
  const isOurs = path.startsWith('/') && !path.startsWith('//')
  return isOurs ? SITE_BASE + path : path
}
