/** Splits HTML into comments, tags and the text between them, and joins what each becomes. */
import { readTag } from '../markdown/read-tag.ts'

/** Longer than for pages of authors: generated HTML can have a long address. */
const TAG_LENGTH_MAX = 50_000

type Parts = {
  readonly comment: (text: string) => string
  readonly tag: (written: string) => string
  readonly text: (text: string) => string
}

export function replaceMarkup(html: string, { comment, tag, text }: Parts): string {
  let result = ''
  let from = 0
  const lastEnd = html.lastIndexOf('-->')
  let at = html.indexOf('<')
  while (at >= 0) {
    const isComment = html.startsWith('<!--', at) && at + 4 <= lastEnd
    const end = isComment ? html.indexOf('-->', at + 4) : -1
    const written = end >= 0 ? html.slice(at, end + 3) : readTag(html, at, TAG_LENGTH_MAX)
    if (written === undefined || !/^<[A-Za-z/!]/.test(written)) at = html.indexOf('<', at + 1)
    else {
      result += text(html.slice(from, at))
      result += end >= 0 ? comment(written.slice(4, -3)) : tag(written)
      from = at + written.length
      at = html.indexOf('<', from)
    }
  }
  return result + text(html.slice(from))
}
