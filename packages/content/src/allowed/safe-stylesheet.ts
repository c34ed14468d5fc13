/** Rules that an author wrote on a page. They hold for that page, as a `.css` file holds for all. */

const LENGTH_MAX = 50_000

/** Why the rules cannot be used, in words that end a sentence; nothing if they can. */
export function stylesheetFault(css: string): string | undefined {
  if (css.length > LENGTH_MAX) return `is longer than ${LENGTH_MAX} characters`
  if (css.includes('<')) return 'contains `<`, which could close it early'
  if (/@import\b/i.test(css)) return 'uses `@import`'
  const isForeign = /url\(\s*["']?(?:[a-z][\w+.-]*:)?\/\//i.test(css)
  return isForeign ? 'loads a URL from another host' : undefined
}
