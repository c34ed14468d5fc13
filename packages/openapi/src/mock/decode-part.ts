/** Decodes percent escapes. Malformed text is returned unchanged, since some clients send a bare `%`. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Decodes a name or a value of a query, in which a plus is a space. */
export function decodeQueryPart(text: string): string {
  return decodePart(text.replaceAll('+', ' '))
}
