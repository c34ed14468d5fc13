/**
 * Checks the CSS rules in a page. They apply to this page only; `.css` files apply to all pages.
 */

const LENGTH_MAX = 50_000

/** Returns why the rules are rejected, such as "uses `@import`"; undefined if they are valid. */
export function findStylesheetProblem(css: string): string | undefined {
  if (css.length > LENGTH_MAX) return `is longer than ${LENGTH_MAX} characters`
  if (css.includes('<')) return 'contains `<`, which could close it early'
  if (/@import\b/i.test(css)) return 'uses `@import`'
  const isForeign = /url\(\s*["']?(?:[a-z][\w+.-]*:)?\/\//i.test(css)
  return isForeign ? 'loads a URL from another host' : undefined
}
