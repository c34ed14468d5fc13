/** Inline code in plain text such as titles, descriptions and props, where authors use it too. */
const CODE = /`([^`\n]+)`/g

/** Replaces inline code: `$1` in `put` is the text between the backticks. */
export function replaceCode(text: string, put: string): string {
  return text.includes('`') ? text.replaceAll(CODE, put) : text
}

/** For places that show only plain text: the browser tab, the sidebar, search. */
export function stripCodeMarks(text: string): string {
  return replaceCode(text, '$1')
}
