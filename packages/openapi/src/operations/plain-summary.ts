/** The maximum length of a summary, which is used in lists and in page metadata. */
const LENGTH_MAX = 300

/** Returns the first paragraph of Markdown text as plain text on a single line. */
export function plainSummary(markdown: string): string {
  const start = markdown.slice(0, 4 * LENGTH_MAX).trim()
  const [first = ''] = start.split(/\n\s*\n/)
  const plain = first
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[#>\s]+|[*`]|(?<!\w)_+|_+(?!\w)/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.length <= LENGTH_MAX ? plain : `${plain.slice(0, LENGTH_MAX).trimEnd()}…`
}
