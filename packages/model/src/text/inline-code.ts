/** Code in a text that is no Markdown otherwise: titles, descriptions, props. Authors write it there all the same. */
const CODE = /`([^`\n]+)`/g

/** A text with its code in another form: `$1` in `put` is what stood between the marks. */
export function replaceCode(text: string, put: string): string {
  return text.includes('`') ? text.replaceAll(CODE, put) : text
}

/** For where nothing but text can stand: the tab of a browser, the sidebar, search. */
export function withoutCodeMarks(text: string): string {
  return replaceCode(text, '$1')
}
