/**
 * Checks whether text contains one of the passages, ignoring Markdown syntax, quote style, spaces
 * and case.
 */
export function hasPassage(text: string, passages: readonly string[]): boolean {
  const own = plainText(text)
  return passages.some((passage) => own.includes(plainText(passage)))
}

/**
 * Normalizes text for comparison: removes Markdown syntax, link targets and spaces, replaces curly
 * quotes, and converts to lower case.
 */
function plainText(text: string): string {
  return (
    text
      // Matches in linear time, since the text may be untrusted.
      .replaceAll(/!?\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\))?/g, '$1')
      .replaceAll(/[‘’‚′]/g, "'")
      .replaceAll(/[“”„″«»]/g, '"')
      .replaceAll(/[–—−]/g, '-')
      .replaceAll(/[`*_~#>|\\\s]/g, '')
      .toLowerCase()
  )
}
