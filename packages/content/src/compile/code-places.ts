/**
 * Maps positions in code to offsets in the file. This needs work because the parser strips
 * indentation and the `>` of block quotes from code, and reports the place of a tag but not of its
 * attributes.
 */
import { SourceText } from '@octavo/model'
import type { MdastNode } from 'satteri'
import type { Unit } from '../interpreter/problem.ts'
import { offsetOf } from '../modules/markdown-file.ts'
import type { Reading } from './reading.ts'

export type TagNode = Extract<MdastNode, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>

/** Returns the unit of an expression that starts at an offset of the parsed text. */
export function expressionUnit({ file }: Reading, code: string, start: number): Unit {
  const inCode = new SourceText(file.source.file, code)
  let starts: readonly number[] | undefined
  const toOffset = (offset: number) => {
    starts ??= lineStarts(file.parsed.text, { code, start })
    const { line, column } = inCode.position(Math.max(0, offset))
    return offsetOf(file, (starts[line - 1] ?? start) + column - 1)
  }
  // `parseExpression` adds a parenthesis, so offsets in an expression start at 1.
  return { source: file.source, base: -1, toOffset }
}

/**
 * Returns the offset of each attribute's value in the parsed text: for code, the character after
 * its brace; for a spread, its dots. The list ends early if the text does not match the parsed tag.
 */
export function attributeStarts(text: string, node: TagNode): readonly number[] {
  const starts: number[] = []
  const end = node.position?.end.offset ?? 0
  let at = (node.position?.start.offset ?? 0) + 1 + (node.name ?? '').length
  for (const attribute of node.attributes) {
    const isSpread = attribute.type === 'mdxJsxExpressionAttribute'
    const found = text.indexOf(isSpread ? '...' : attribute.name, at)
    if (found < 0 || found >= end) break
    const { value } = attribute
    if (isSpread) at = found
    else {
      EQUALS.lastIndex = found + attribute.name.length
      at = EQUALS.test(text) ? EQUALS.lastIndex : found + attribute.name.length
    }
    starts.push(at)
    if (value === null || value === undefined) continue
    if (typeof value !== 'string') at = endOf(text, { code: value.value, start: at })
    else if (isSpread) at = endOf(text, { code: value, start: at })
    // The parsed value is decoded, so its length differs: the value ends at the closing quote.
    else at = text.indexOf(text.charAt(at - 1), at) + 1
  }
  return starts
}

const EQUALS = /\s*=\s*["'{]/y
const LINE_BREAK = /\r\n|\n|\r/g

type Code = { readonly code: string; readonly start: number }

/** Returns where each line of code starts in the text that contains it. */
function lineStarts(text: string, { code, start }: Code): readonly number[] {
  const [, ...lines] = code.split(LINE_BREAK)
  const starts = [start]
  let at = start
  for (const line of lines) {
    at = nextLineStart(text, at)
    // The indentation may be a tab in the text, so only the text after it is searched for.
    const trimmed = line.trim()
    const found = text.slice(at, nextLineStart(text, at)).indexOf(trimmed)
    starts.push(at + Math.max(0, found - line.indexOf(trimmed)))
  }
  return starts
}

function endOf(text: string, { code, start }: Code): number {
  const lastLine = code.length - 1 - Math.max(code.lastIndexOf('\n'), code.lastIndexOf('\r'))
  return (lineStarts(text, { code, start }).at(-1) ?? start) + lastLine
}

function nextLineStart(text: string, at: number): number {
  LINE_BREAK.lastIndex = at
  return LINE_BREAK.test(text) ? LINE_BREAK.lastIndex : text.length
}
