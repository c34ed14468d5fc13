/** Schemes of URLs that run code in a reader's browser, or show files from the reader's disk. */
const DANGEROUS_SCHEMES: ReadonlySet<string> = new Set([
  'javascript',
  'vbscript',
  'data',
  'blob',
  'file',
  'filesystem',
  'view-source',
])
/**
 * The URL standard removes U+0000 to U+0020 from both ends of a URL, and tabs and line breaks
 * everywhere. The other invisible characters are those that some browsers once removed.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point here.
const SKIPPED = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]/g
const SCHEME = /^([a-z][a-z\d+.-]*):/i
const INLINE_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|x-icon)[;,]/i

/** Removes the characters that a browser skips when it parses the scheme. */
export function withoutSkippedCharacters(url: string): string {
  return url.replaceAll(SKIPPED, '')
}

/** Returns the scheme of a URL in lower case, as a browser parses it. */
export function schemeOf(url: string): string | undefined {
  if (!url.includes(':')) return undefined
  return SCHEME.exec(withoutSkippedCharacters(url))?.[1]?.toLowerCase()
}

/** Checks whether a URL is one that a page must never link to, show or load. */
export function isDangerousUrl(url: string): boolean {
  const scheme = schemeOf(url)
  return scheme !== undefined && DANGEROUS_SCHEMES.has(scheme)
}

/** Checks whether a URL is a data URL with an image. Unlike a page, an image runs no code. */
export function isInlineImage(url: string): boolean {
  return INLINE_IMAGE.test(url)
}
