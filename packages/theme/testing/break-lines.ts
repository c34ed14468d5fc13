const BLOCK =
  /(?=<(?:address|article|aside|blockquote|body|button|details|div|figcaption|figure|footer|form|h\d|head|header|hr|input|label|li|link|main|meta|nav|octavo-island|ol|p|pre|script|section|summary|svg|table|tbody|thead|title|tr|ul)\b)/g

/** HTML with a line for each block, so that a difference can be read. */
export function breakLines(html: string): string {
  return `${html.replaceAll(BLOCK, '\n').trim()}\n`
}
