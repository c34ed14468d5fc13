/**
 * A block of Markdown: a paragraph, list, table or piece of code. The block's text is an unchanged
 * part of the whole text.
 */
export type MarkdownBlock = {
  readonly kind: 'heading' | 'text' | 'list' | 'table' | 'code'
  readonly text: string
}

const FENCE = /^\s*(`{3,}|~{3,})/

/** Splits Markdown at empty lines, except inside code and between list items. */
export function markdownBlocks(markdown: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let lines: string[] = []
  let fence = ''
  const flush = () => {
    while (lines.at(-1)?.trim() === '') lines.pop()
    const [first] = lines
    if (first !== undefined) blocks.push({ kind: kindOf(first), text: lines.join('\n') })
    lines = []
  }
  for (const line of markdown.split('\n')) {
    const isInCode = fence !== ''
    const mark = FENCE.exec(line)?.[1]
    if (isInCode && mark !== undefined && line.trim() === mark && mark.startsWith(fence)) fence = ''
    else if (!isInCode && mark !== undefined) {
      // Indented code belongs to the list item above it.
      if (!/^\s/.test(line)) flush()
      fence = mark
    } else if (!isInCode) {
      if (line.trim() === '' && !isListed(lines)) flush()
      else if (isListed(lines) && lines.at(-1)?.trim() === '' && !isItem(line) && /^\S/.test(line))
        flush()
      else if (/^#{1,6}\s/.test(line)) flush()
    }
    if (lines.length > 0 || line.trim() !== '') lines.push(line)
    if (isInCode && fence === '' && !/^\s/.test(line)) flush()
    else if (fence === '' && /^#{1,6}\s/.test(line)) flush()
  }
  flush()
  return blocks
}

function isListed([first = '']: readonly string[]): boolean {
  return isItem(first)
}

function isItem(line: string): boolean {
  return /^(?:[-*+]|\d+[.)])\s/.test(line)
}

function kindOf(line: string): MarkdownBlock['kind'] {
  if (FENCE.test(line)) return 'code'
  if (/^#{1,6}\s/.test(line)) return 'heading'
  if (isItem(line)) return 'list'
  return line.startsWith('|') ? 'table' : 'text'
}
