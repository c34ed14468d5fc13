/**
 * Prints the Markdown files of pages, for programs. Each file starts with a link to the list of all
 * pages. Agents truncate responses, some of them after 50,000 characters, so a longer page has
 * several files, which clients can join again.
 */

/** Maximum characters per file. */
export const MARKDOWN_LENGTH_MAX = 50_000

/** Maximum characters of the links before and after the text of a part. */
const FRAME_LENGTH_MAX = 1_000
const NOTE = '> For agents: [llms.txt]('
const CONTINUES = /\n\n<!-- continues: part (\d+) of (\d+) -->\n\n[^\n]*\n$/
const BEGINS = /^[\s\S]*?\n\n<!-- part \d+ of \d+ -->\n\n/

/** Returns the path of a later part of a page. The first part is `guides/start.md`. */
export function markdownPartPath(path: string, part: number): string {
  return `_llms/${path}/part-${part}.md`
}

/** Parses a path that `markdownPartPath` returned. */
export function parseMarkdownPartPath(
  file: string,
): { readonly path: string; readonly part: number } | undefined {
  const [, path, digits] = /^_llms\/(.+)\/part-([1-9]\d{0,4})\.md$/.exec(file) ?? []
  const part = Number(digits)
  return path === undefined || part < 2 ? undefined : { path, part }
}

export type MarkdownFile = {
  /** The path of the page, such as `guides/start`. */
  readonly path: string
  readonly title: string
  /** Returns the URL of a file of the site. */
  readonly addressOf: (path: string) => string
}

/** Returns the page's files, at least one. */
export function printMarkdownFiles(text: string, file: MarkdownFile): readonly string[] {
  const { path, title, addressOf } = file
  const note = `${NOTE}${addressOf('llms.txt')}) lists all pages of this documentation.`
  const whole = `${note}\n\n${text}`
  if (whole.length <= MARKDOWN_LENGTH_MAX) return [whole]
  const parts = cutMarkdown(text.trimEnd(), MARKDOWN_LENGTH_MAX - FRAME_LENGTH_MAX)
  const link = (part: number) => {
    const target = part === 1 ? `${path}.md` : markdownPartPath(path, part)
    return `[part ${part} of ${parts.length}](${addressOf(target)})`
  }
  return parts.map((own, index) => {
    const part = index + 1
    const name = title.replaceAll(/\s+/g, ' ').slice(0, FRAME_LENGTH_MAX / 4)
    const head =
      part === 1
        ? ''
        : `# ${name}, part ${part}\n\nThe page begins in ${link(1)}.\n\n<!-- part ${part} of ${parts.length} -->\n\n`
    const tail =
      part === parts.length
        ? ''
        : `\n\n<!-- continues: part ${part + 1} of ${parts.length} -->\n\nThe page continues in ${link(part + 1)}.`
    return `${note}\n\n${head}${own}${tail}\n`
  })
}

/** Restores a page's text from all its files. */
export function joinMarkdownFiles(files: readonly string[]): string {
  const parts = files.map((file, index) => {
    const own = index === 0 ? withoutNote(file) : file.replace(BEGINS, '')
    return own.replace(CONTINUES, '')
  })
  return parts.join('\n\n')
}

/** Returns the number of a page's files, which the first file states. */
export function countMarkdownFiles(first: string): number {
  return Number(CONTINUES.exec(first.slice(-FRAME_LENGTH_MAX))?.[2] ?? 1)
}

function withoutNote(text: string): string {
  return text.startsWith(NOTE) ? text.slice(text.indexOf('\n\n') + 2) : text
}

/**
 * Splits text before headings if possible, else between blocks, but never inside a code block that
 * fits into one part.
 */
function cutMarkdown(text: string, lengthMax: number): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const block of pieces(text, lengthMax)) {
    const joined = part === '' ? block : `${part}\n\n${block}`
    const isFull = joined.length > lengthMax
    // Once a part is half full, split before the next heading.
    const isGoodPlace = part.length > lengthMax / 2 && /^#{1,3} /.test(block)
    if (part !== '' && (isFull || isGoodPlace)) {
      parts.push(part)
      part = block
    } else part = joined
  }
  return part === '' ? parts : [...parts, part]
}

/**
 * Returns the blocks of the text. A block that is too long is split between lines, and a line that
 * is too long is split anywhere.
 */
function pieces(text: string, lengthMax: number): readonly string[] {
  return blocksOf(text).flatMap((block) => {
    if (block.length <= lengthMax) return [block]
    const fence = /^\s*(`{3,}|~{3,})[^\n]*\n/.exec(block)
    const [open = '', mark = ''] = fence ?? []
    const inner = fence ? block.slice(open.length).replace(/\n[`~]+\s*$/, '') : block
    const room = lengthMax - open.length - mark.length - 2
    const lines = inner.match(new RegExp(`[^\\n]{1,${room}}`, 'g')) ?? []
    const cut: string[] = []
    let own = ''
    for (const line of lines) {
      const joined = own === '' ? line : `${own}\n${line}`
      if (joined.length > room) {
        cut.push(own)
        own = line
      } else own = joined
    }
    cut.push(own)
    return cut.map((one) => (fence ? `${open}${one}\n${mark}` : one))
  })
}

/** Splits text at empty lines, except inside code blocks. */
function blocksOf(text: string): readonly string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence = ''
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '') fence = mark
    else if (line.trim() === mark && mark.startsWith(fence)) fence = ''
    if (line.trim() === '' && fence === '') {
      if (lines.length > 0) blocks.push(lines.join('\n'))
      lines = []
    } else lines.push(line)
  }
  return lines.length === 0 ? blocks : [...blocks, lines.join('\n')]
}
