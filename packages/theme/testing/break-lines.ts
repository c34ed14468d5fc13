const BLOCK =
  /(?=<(?:address|article|aside|blockquote|body|button|details|div|figcaption|figure|footer|form|h\d|head|header|hr|input|label|li|link|main|meta|nav|octavo-island|ol|p|pre|script|section|summary|svg|table|tbody|thead|title|tr|ul)\b)/g

/** Writes each HTML block on its own line, for readable diffs. */
export function breakLines(html: string): string {
  return `${html.replaceAll(BLOCK, '\n').trim()}\n`
}
