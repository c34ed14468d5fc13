/**
 * The last look at an address before it is written. Pages come checked from `content` and
 * configuration from `model`; this only makes sure that nothing else ever reaches a reader.
 */
const RUNS_CODE = /^(?:javascript|vbscript|data|blob|file|filesystem|view-source):/i
const INLINE_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|x-icon)[;,]/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip exactly these.
const SKIPPED = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\ufeff]/g

/** True if following the address runs no code. */
export function isSafeAddress(url: string): boolean {
  // Nearly all begin like this, and none of these has a scheme.
  const first = url.charCodeAt(0)
  if (first === 47 || first === 35) return true
  if (!url.includes(':')) return true
  return !RUNS_CODE.test(url.replaceAll(SKIPPED, ''))
}

/** True if showing the image runs no code. */
export function isSafeImage(url: string): boolean {
  return isSafeAddress(url) || INLINE_IMAGE.test(url)
}

/** True for an address on another site. */
export function isExternal(url: string): boolean {
  return /^(?:https?:)?\/\//i.test(url)
}
