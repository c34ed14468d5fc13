/** Matches the id at the end of a heading, which MDX and Octavo read. */
const HEADING_ID = /\{#[^\s{}]+\}[ \t]*$/

/** Escapes the characters of Markdown text that MDX would read as an expression or a tag. */
export function escapeText(
  text: string,
  {
    isVariable,
    isAfterBackslash,
  }: { readonly isVariable: (name: string) => boolean; readonly isAfterBackslash: boolean },
): string {
  const idAt = HEADING_ID.exec(text)?.index ?? text.length
  let result = ''
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    const variable = sign === '{' ? /^\{\{\s*([\w.-]+)\s*\}\}/.exec(text.slice(at, at + 200)) : null
    if (variable !== null && isVariable(variable[1] ?? '')) {
      result += `{{${variable[1]}}}`
      at += variable[0].length - 1
    } else if ((sign === '{' || sign === '<') && at !== idAt) {
      const before = at === 0 ? isAfterBackslash : isEscaped(text, at)
      result += before ? sign : `\\${sign}`
    } else result += sign
  }
  return result
}

/** Returns true if an odd number of backslashes precedes a character. */
function isEscaped(text: string, at: number): boolean {
  let count = 0
  while (text.charAt(at - 1 - count) === '\\') count += 1
  return count % 2 === 1
}
