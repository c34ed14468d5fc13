/** Converts blocks of other tools to Octavo's syntax. */
import { rewriteCode } from './code-marks.ts'
import { replaceMarks } from './inline-marks.ts'
import { componentOf, type Opening } from './openings.ts'
import type { Block, CodePiece, Piece } from './parse-blocks.ts'
import { dedent, isBlank, type Line } from './source-lines.ts'

export type Format = 'mdx' | 'md'

/** Converts blocks, and caches the lines of each block, which may be needed several times. */
export class BlockWriter {
  readonly #format: Format
  readonly #written = new Map<Block, readonly string[] | undefined>()

  constructor(format: Format) {
    this.#format = format
  }

  /**
   * Returns the converted lines without indentation; undefined if there is no exact replacement.
   */
  writeBlock(block: Block): readonly string[] | undefined {
    if (this.#written.has(block)) return this.#written.get(block)
    const lines = block.isClosed ? this.#write(block) : undefined
    this.#written.set(block, lines)
    return lines
  }

  #write(block: Block): readonly string[] | undefined {
    const { kind } = block.opening
    if (kind === 'other') return undefined
    if (kind === 'code') return writeCode(block)
    const body = this.writePieces(block.pieces, block.inner)
    if (kind === 'content') return body
    if (this.#format === 'md') return writeMarkdown(block.opening, body)
    const inner = PARTS.get(kind)
    if (inner !== undefined && !this.#hasOnly(block, inner)) return undefined
    return writeComponent(block, body)
  }

  #hasOnly({ pieces }: Block, kind: Opening['kind']): boolean {
    return pieces.every(
      (piece) =>
        isBlankPiece(piece) ||
        (piece.kind === 'block' &&
          piece.opening.kind === kind &&
          this.writeBlock(piece) !== undefined),
    )
  }

  /**
   * Converts the pieces of a block, and removes `columns` columns of indentation from their lines.
   */
  writePieces(pieces: readonly Piece[], columns: number): readonly string[] {
    const lines: string[] = []
    for (const [index, piece] of pieces.entries()) {
      const raw = (line: Line) => (isBlank(line) ? '' : dedent(line, columns).text)
      if (piece.kind === 'text') lines.push(replaceMarks(raw(piece.line), this.#format))
      else if (piece.kind === 'code') lines.push(...rewriteCode(piece.lines.map(raw)))
      else if (piece.kind === 'quote') {
        const isPlain = piece.pieces.every(({ kind }) => kind !== 'block')
        if (isPlain) lines.push(...piece.lines.map(raw))
        else lines.push(...writeQuote(this.writePieces(piece.pieces, 0)))
      } else {
        const written = this.writeBlock(piece)
        const prefix = ' '.repeat(Math.max(0, piece.indent - columns))
        const [first = ''] = piece.lines.map(raw)
        if (written === undefined) lines.push(...piece.lines.map(raw))
        else
          for (const [row, line] of this.#inTabs(pieces, index, written).entries()) {
            // A list item keeps its marker.
            const before = row === 0 ? first.slice(0, prefix.length) : prefix
            lines.push(line === '' ? '' : before + line)
          }
      }
    }
    return trimmed(lines)
  }

  /**
   * Puts adjacent tabs into one group: adds the group's opening tag before the first tab and its
   * closing tag after the last.
   */
  #inTabs(pieces: readonly Piece[], index: number, tab: readonly string[]): readonly string[] {
    if (!isLooseTab(pieces[index])) return tab
    const isFirst = !continuesTabs(pieces, index)
    const isLast = !continuesTabs(pieces, nextPiece(pieces, index))
    return [...(isFirst ? ['<Tabs>'] : []), ...tab, ...(isLast ? ['</Tabs>'] : [])]
  }
}

/** Maps the kind of a group to the kind of its parts. */
const PARTS: ReadonlyMap<Opening['kind'], Opening['kind']> = new Map([
  ['tabs', 'tab'],
  ['steps', 'step'],
  ['columns', 'column'],
])

/** Returns the component that the block becomes, for the hint. */
export function replacementOf({ kind, name }: Opening, format: Format): string {
  const isMarkdown = format === 'md'
  switch (kind) {
    case 'callout': {
      const component = componentOf(name)
      const alert = ALERTS.get(component)
      if (component === 'quote') return 'a quote with `>`'
      return isMarkdown && alert !== undefined
        ? `a quote that starts with \`> [!${alert}]\``
        : `\`<${component}>\``
    }
    case 'details':
      if (isMarkdown) return '`<details>` with a `<summary>`'
      return '`<Accordion title="…">`'
    case 'tab':
    case 'tabs':
      return '`<Tabs>` with a `<Tab title="…">` for each tab'
    case 'code-group':
      return '`<CodeGroup>`'
    case 'steps':
    case 'step':
      return '`<Steps>` with a `<Step title="…">` for each step'
    case 'columns':
    case 'column':
      return '`<Columns>` with a `<Column>` for each column'
    default:
      return 'only the text'
  }
}

function writeComponent(block: Block, body: readonly string[]): readonly string[] | undefined {
  const { kind, name, title, isOpen } = block.opening
  switch (kind) {
    case 'callout':
      return writeCallout(componentOf(name), title, body)
    case 'details': {
      const open = isOpen === true ? ' defaultOpen' : ''
      return element(`Accordion title=${attribute(plain(title ?? capitalized(name)))}${open}`, body)
    }
    case 'tab':
      return element(`Tab title=${attribute(plain(title ?? ''))}`, body)
    case 'tabs':
      return group('Tabs', body)
    case 'code-group':
      return block.pieces.every(isCodeOrBlank) ? element('CodeGroup', body) : undefined
    case 'steps':
      return group('Steps', body)
    case 'step':
      return writeStep(body)
    case 'columns': {
      const count = block.pieces.filter((piece) => piece.kind === 'block').length
      return group(`Columns cols={${count}}`, body)
    }
    case 'column':
      return element('Column', body)
    default:
      return undefined
  }
}

function writeCallout(
  component: string,
  title: string | undefined,
  body: readonly string[],
): readonly string[] {
  if (component === 'quote') return writeQuote(titled(title, body))
  if (title === undefined || hasMarkup(title) || body.length === 0)
    return element(component, titled(title, body))
  return element(`${component} title=${attribute(title)}`, body)
}

/** Converts a step. If the step begins with a heading, the heading becomes its title. */
function writeStep(body: readonly string[]): readonly string[] | undefined {
  const [first = '', ...rest] = body
  const title = /^#{1,6}\s+(.+)$/.exec(first)?.[1]
  if (title === undefined) return undefined
  return element(`Step title=${attribute(plain(title))}`, trimmed(rest))
}

const ALERTS: ReadonlyMap<string, string> = new Map([
  ['Note', 'NOTE'],
  ['Tip', 'TIP'],
  ['Info', 'IMPORTANT'],
  ['Warning', 'WARNING'],
  ['Danger', 'CAUTION'],
])

/**
 * Converts a block for plain Markdown, which has no components but does have GitHub alerts and
 * HTML.
 */
function writeMarkdown(
  { kind, name, title, isOpen }: Opening,
  body: readonly string[],
): readonly string[] | undefined {
  if (kind === 'details') {
    const open = isOpen === true ? '<details open>' : '<details>'
    const summary = escapeText(plain(title ?? capitalized(name)))
    return [open, `<summary>${summary}</summary>`, '', ...body, '', '</details>']
  }
  if (kind !== 'callout') return undefined
  const component = componentOf(name)
  if (component === 'quote') return writeQuote(titled(title, body))
  const alert = ALERTS.get(component)
  return alert === undefined ? undefined : writeQuote([`[!${alert}]`, ...titled(title, body)])
}

function writeQuote(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '>' : `> ${line}`))
}

/** Returns the body with the title in bold above it. */
function titled(title: string | undefined, body: readonly string[]): readonly string[] {
  if (title === undefined) return body
  if (body.length === 0) return [title]
  return [/[*_]/.test(title) ? title : `**${title}**`, '', ...body]
}

/** Returns the code block inside `{% code %}`, with the options of the tag. */
function writeCode({ pieces, opening, inner }: Block): readonly string[] | undefined {
  const seen = pieces.filter((piece) => piece.kind !== 'text' || !isBlank(piece.line))
  const [code] = seen
  if (code?.kind !== 'code' || seen.length > 1) return undefined
  const [first = '', ...rest] = rewriteCode(code.lines.map((line) => dedent(line, inner).text))
  const options = opening.options ?? new Map<string, string>()
  const written = [
    options.has('title') ? `title=${attribute(options.get('title') ?? '')}` : '',
    options.get('overflow') === 'wrap' ? 'wrap' : '',
    options.get('lineNumbers') === 'true' ? 'lines' : '',
    options.get('expandable') === 'true' ? 'expandable' : '',
  ].filter((option) => option !== '')
  const language = /^[`~]+$/.test(first.trim()) && written.length > 0 ? 'text' : ''
  return [[`${first.trimEnd()}${language}`, ...written].join(' '), ...rest]
}

/** Checks whether a piece is an MkDocs tab, which has no group around it in the source. */
function isLooseTab(piece: Piece | undefined): piece is Block {
  return piece?.kind === 'block' && piece.opening.kind === 'tab' && piece.opening.tool === 'MkDocs'
}

/** Checks whether a tab follows another one, with only blank lines between them. */
export function continuesTabs(pieces: readonly Piece[], index: number): boolean {
  const tab = pieces[index]
  if (!isLooseTab(tab) || tab.first.text.trimStart().startsWith('===!')) return false
  let before = index - 1
  while (isBlankPiece(pieces[before])) before -= 1
  return isLooseTab(pieces[before]) && isSameIndent(pieces[before], tab)
}

function nextPiece(pieces: readonly Piece[], index: number): number {
  let after = index + 1
  while (isBlankPiece(pieces[after])) after += 1
  return after
}

/** Returns the block at an index, with the tabs that follow it in the same group. */
export function tabsFrom(pieces: readonly Piece[], index: number): readonly Block[] {
  const first = pieces[index]
  if (first?.kind !== 'block') return []
  const blocks = [first]
  for (let next = nextPiece(pieces, index); continuesTabs(pieces, next); ) {
    const tab = pieces[next]
    if (tab?.kind === 'block') blocks.push(tab)
    next = nextPiece(pieces, next)
  }
  return blocks
}

/** Checks whether a piece is a tab, step or column of the enclosing group. */
export function isPartOf(group: Block | undefined, piece: Piece): piece is Block {
  return (
    group !== undefined &&
    piece.kind === 'block' &&
    PARTS.get(group.opening.kind) === piece.opening.kind
  )
}

function isSameIndent(a: Piece | undefined, b: Piece | undefined): boolean {
  return a?.kind === 'block' && b?.kind === 'block' && a.indent === b.indent
}

function isBlankPiece(piece: Piece | undefined): boolean {
  return piece?.kind === 'text' && isBlank(piece.line)
}

function isCodeOrBlank(piece: Piece): piece is CodePiece {
  return piece.kind === 'code' || isBlankPiece(piece)
}

function group(opening: string, body: readonly string[]): readonly string[] {
  return [`<${opening}>`, ...body, `</${opening.split(' ', 1)[0]}>`]
}

/** Wraps lines in an element. Blank lines separate lists, quotes and code from the tags. */
function element(opening: string, body: readonly string[]): readonly string[] {
  const [name] = opening.split(' ', 1)
  const [only = ''] = body
  if (body.length === 0) return [`<${opening}></${name}>`]
  const isPlain = body.length === 1 && /^[^\s\-*+>#|`~<\d{=_:]/.test(only)
  return isPlain
    ? [`<${opening}>`, only, `</${name}>`]
    : [`<${opening}>`, '', ...body, '', `</${name}>`]
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}

const hasMarkup = (title: string) => /[*_`[\]<{&~]/.test(title)

/** Returns a title without Markdown syntax, for places where Markdown is not read. */
function plain(title: string): string {
  return title.replaceAll(/`|\*\*?|\\(?=[<>{}[\]])/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

function attribute(title: string): string {
  if (!title.includes('"')) return `"${title}"`
  return title.includes("'") ? `"${title.replaceAll('"', '&quot;')}"` : `'${title}'`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
