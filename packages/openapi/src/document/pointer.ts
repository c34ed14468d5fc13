/**
 * Functions for JSON pointers (RFC 6901), also in the form of URL fragments, where `%20` is a
 * space.
 */

export function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/')
    ? token.replaceAll('~', '~0').replaceAll('/', '~1')
    : token
}

/**
 * Parses a pointer such as `#/components/schemas/a~1b`; returns undefined if the text is not a
 * pointer into this document.
 */
export function parseFragment(reference: string): readonly string[] | undefined {
  if (reference === '#' || reference === '#/') return []
  if (!reference.startsWith('#/')) return undefined
  const pointer = reference.includes('%') ? decodePercent(reference) : reference
  return pointer.slice(2).split('/').map(unescapeToken)
}

/** Returns the canonical form of a reference, so that `#/a%20b` and `#/a b` are equal. */
export function canonicalReference(reference: string): string {
  if (!reference.includes('%') && !reference.includes('~')) return reference
  const tokens = parseFragment(reference)
  return tokens === undefined ? reference : printFragment(tokens)
}

/** Prints the tokens of a pointer as a reference. */
export function printFragment(tokens: readonly string[]): string {
  return `#/${tokens.map((token) => escapeToken(token).replaceAll('%', '%25')).join('/')}`
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

/**
 * Decodes percent escapes. Malformed text is returned unchanged, since some tools write a bare `%`.
 */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
