/** Inline code in text that is otherwise plain, such as titles, descriptions and props. */
const CODE = /`([^`\n]+)`/g

/** Replaces inline code with `put`, in which `$1` is the text between the backticks. */
export function replaceCode(text: string, put: string): string {
  return text.includes('`') ? text.replaceAll(CODE, put) : text
}

/**
 * Removes the backticks of inline code, for places that only show plain text: the browser tab, the
 * sidebar, search.
 */
export function stripCodeMarks(text: string): string {
  return replaceCode(text, '$1')
}
