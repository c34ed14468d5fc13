/**
 * Finds syntax of other documentation tools in a page, with an exact replacement if there is one.
 * Without this check, readers of a migrated page would be the first to see the syntax, as text.
 */
import type { Fix } from '@octavo/model'
import type { Format, ParsedMarkdown } from '../markdown/parse-markdown.ts'
import { findCodeTabs, findPageText, hasWholeTexts } from './code-blocks.ts'
import { findInCode } from './code-marks.ts'
import { type Definitions, findCrossReferences, readDefinitions } from './cross-references.ts'
import { CAN_FIX, type ForeignSyntax, quote, type Range } from './foreign-syntax.ts'
import { findHidden, type Hidden } from './hidden-text.ts'
import { findMarks } from './inline-marks.ts'
import { findComments, findInLine } from './line-marks.ts'
import { mayBeForeign } from './may-be-foreign.ts'
import { type Block, type Piece, parseBlocks } from './parse-blocks.ts'
import {
  isBlank,
  type Line,
  lineEnd,
  markOf,
  prefixAt,
  splitLines,
  textStart,
} from './source-lines.ts'
import { BlockWriter, continuesTabs, isPartOf, replacementOf, tabsFrom } from './write-block.ts'

export function findForeign(
  body: string,
  parsed: ParsedMarkdown,
  format: Format,
): readonly ForeignSyntax[] {
  if (!mayBeForeign(body, format)) return []
  const hidden = findHidden(parsed)
  const isCode = (offset: number) => hidden.codeEnd?.(offset) !== undefined
  const finder = new Finder(body, { format, hidden })
  finder.walk(parseBlocks(splitLines(body), hidden), false)
  return [...finder.found, ...findComments(body, isCode)].map((one) => checked(body, one))
}

/** Removes the fix if the text that it replaces is not at the expected offset. */
function checked(body: string, found: ForeignSyntax): ForeignSyntax {
  const { fix, hint } = found
  if (fix === undefined) return found
  if (!body.startsWith(fix.find, found.offset)) return { ...found, fix: undefined }
  return { ...found, hint: `${hint} ${CAN_FIX}` }
}

const SHOWN = 'here it is shown as text'

class Finder {
  readonly found: ForeignSyntax[] = []
  readonly #body: string
  readonly #format: Format
  readonly #lineBreak: string
  readonly #writer: BlockWriter
  readonly #definitions: Definitions
  #isWhole: boolean | undefined
  readonly #isHidden: (offset: number) => boolean

  constructor(body: string, page: { readonly format: Format; readonly hidden: Hidden }) {
    const { format, hidden } = page
    this.#body = body
    this.#format = format
    this.#isHidden = hidden.inner?.isHidden ?? hidden.isHidden
    this.#lineBreak = body.includes('\r\n') ? '\r\n' : '\n'
    this.#writer = new BlockWriter(format)
    this.#definitions = readDefinitions(body)
  }

  /**
   * Finds syntax in pieces. `isFixed` is true inside a block whose fix already covers these pieces.
   */
  walk(pieces: readonly Piece[], isFixed: boolean, group?: Block): void {
    const add = (one: ForeignSyntax) => this.found.push(isFixed ? { ...one, fix: undefined } : one)
    let before = ''
    for (const [index, piece] of pieces.entries()) {
      if (piece.kind === 'text') {
        this.#findInText(piece.line, before, add)
        if (!isBlank(piece.line)) before = piece.line.text
        continue
      }
      before = ''
      if (piece.kind === 'code') this.#findInCode(pieces, index, add)
      else if (piece.kind === 'quote') this.walk(piece.pieces, isFixed)
      else if (isPartOf(group, piece)) this.walk(piece.pieces, isFixed)
      else if (!continuesTabs(pieces, index)) this.#addBlock(pieces, index, isFixed)
    }
  }

  #findInCode(pieces: readonly Piece[], index: number, add: (one: ForeignSyntax) => void): void {
    const piece = pieces[index]
    if (piece?.kind !== 'code') return
    const isWhole = () => {
      this.#isWhole ??= hasWholeTexts(this.#body)
      return this.#isWhole
    }
    const page = { body: this.#body, format: this.#format, lineBreak: this.#lineBreak, isWhole }
    const text = findPageText(piece, page)
    if (text !== undefined) {
      add(text)
      return
    }
    const tabs = findCodeTabs(pieces, index, page)
    if (tabs !== undefined) add(tabs)
    for (const one of findInCode(piece)) add(one)
  }

  #findInText(line: Line, before: string, add: (one: ForeignSyntax) => void): void {
    const isMarkdown = this.#format === 'md'
    const whole = findInLine(line, { before, isMarkdown })
    if (whole !== undefined) {
      add(whole)
      return
    }
    const marks = [
      ...findMarks(line.text, this.#format),
      ...findCrossReferences(line.text, this.#definitions),
    ]
    for (const { start, end, tool, what, effect = SHOWN, hint, put } of marks) {
      if (this.#isHidden(line.at + start)) continue
      const written = line.text.slice(start, end)
      const mark = { start: line.at + start, end: line.at + end }
      const message = `${quote(written)} is ${what} of ${tool}; ${effect}.`
      const fix = put === undefined ? undefined : { find: written, put }
      add({ offset: mark.start, marks: [mark], message, hint, fix })
    }
  }

  /** Adds a block, or a group of adjacent tabs, as one mistake. */
  #addBlock(pieces: readonly Piece[], index: number, isFixed: boolean): void {
    const blocks = tabsFrom(pieces, index)
    const [block] = blocks
    if (block === undefined) return
    const { first, opening } = block
    const fix = isFixed ? undefined : this.#fix(blocks)
    const parts = blocks.flatMap((one) => [
      one,
      ...one.pieces.filter((part) => isPartOf(one, part)),
    ])
    this.found.push({
      offset: textStart(first),
      marks: parts.flatMap(marksOf),
      message: `${quote(first.text)} is ${opening.what} of ${opening.tool}; ${SHOWN}.`,
      hint: this.#hint(block),
      fix,
    })
    for (const one of blocks) this.walk(one.pieces, isFixed || fix !== undefined, one)
  }

  #hint(block: Block): string {
    const { opening } = block
    if (opening.hint !== undefined)
      return block.isClosed ? opening.hint : `The end of the block is missing. ${opening.hint}`
    const write =
      opening.kind === 'code'
        ? 'Write the options after the fence, as in ` ```js title="app.js" lines `.'
        : `Write ${replacementOf(opening, this.#format)}.`
    if (!block.isClosed) return `The end of the block is missing. ${write}`
    const needsMdx = this.#format === 'md' && this.#writer.writeBlock(block) === undefined
    return needsMdx
      ? `Rename the file to \`.mdx\`, which supports components. Write ${replacementOf(opening, 'mdx')}.`
      : write
  }

  #fix(blocks: readonly Block[]): Fix | undefined {
    const [first, last] = [blocks[0], blocks.at(-1)]
    const isExact = blocks.every((block) => this.#writer.writeBlock(block) !== undefined)
    if (!isExact || first === undefined || last === undefined) return undefined
    return this.#replacement(first, last, this.#writer.writePieces(spaced(blocks), first.indent))
  }

  #replacement(from: Block, to: Block, lines: readonly string[]): Fix | undefined {
    const body = this.#body
    const start = textStart(from.first)
    const prefix = prefixAt(body, start)
    const end = to.lines.at(-1)
    if (end === undefined || prefix === undefined) return undefined
    const put = lines.map((line, index) =>
      index === 0 ? line : `${line === '' ? prefix.trimEnd() : prefix}${line}`,
    )
    return { find: body.slice(start, lineEnd(end)), put: put.join(this.#lineBreak) }
  }
}

function marksOf(piece: Piece): readonly Range[] {
  if (piece.kind !== 'block') return []
  const { first, close } = piece
  return [markOf(first), ...(close === undefined ? [] : [markOf(close)])]
}

/** Returns the tabs of a group with blank lines between them. */
function spaced(blocks: readonly Block[]): readonly Piece[] {
  return blocks.flatMap((block, index): readonly Piece[] =>
    index === 0 ? [block] : [{ kind: 'text', line: { text: '', at: 0 } }, block],
  )
}
