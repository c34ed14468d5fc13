/** JSON pointers (RFC 6901), also as the fragment of a reference, where `%20` stands for a space. */

export function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/')
    ? token.replaceAll('~', '~0').replaceAll('/', '~1')
    : token
}

/** The tokens of `#/components/schemas/a~1b`. Nothing when it is not a pointer into this document. */
export function parseFragment(reference: string): readonly string[] | undefined {
  if (reference === '#' || reference === '#/') return []
  if (!reference.startsWith('#/')) return undefined
  const pointer = reference.includes('%') ? decodePercent(reference) : reference
  return pointer.slice(2).split('/').map(unescapeToken)
}

/** `#/a%20b` and `#/a b` are one reference; this is its one way to be written. */
export function canonicalReference(reference: string): string {
  if (!reference.includes('%') && !reference.includes('~')) return reference
  const tokens = parseFragment(reference)
  return tokens === undefined ? reference : printFragment(tokens)
}

/** A pointer as a reference writes it. */
export function printFragment(tokens: readonly string[]): string {
  return `#/${tokens.map((token) => escapeToken(token).replaceAll('%', '%25')).join('/')}`
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

/** A malformed escape is taken as it stands: some tools write names with a bare `%`. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
