import type { Range } from './foreign-syntax.ts'

/** A line without its line break, and the offset of its first character in the body. */
export type Line = { readonly text: string; readonly at: number }

/** The number of columns of one level of indentation in Python-Markdown. */
export const INDENT = 4

const LINE_END = /\r\n|\n|\r/g

export function splitLines(text: string): readonly Line[] {
  const lines: Line[] = []
  let at = 0
  for (const { 0: end, index } of text.matchAll(LINE_END)) {
    lines.push({ text: text.slice(at, index), at })
    at = index + end.length
  }
  lines.push({ text: text.slice(at), at })
  return lines
}

export function isBlank({ text }: Line): boolean {
  return text.trim() === ''
}

/** Returns the indentation of a line in columns. A tab ends at the next multiple of four. */
export function indentOf(text: string): number {
  let columns = 0
  for (const sign of text) {
    if (sign === ' ') columns += 1
    else if (sign === '\t') columns += INDENT - (columns % INDENT)
    else break
  }
  return columns
}

/** Removes up to the given number of columns from the start of a line. */
export function dedent({ text, at }: Line, columns: number): Line {
  let index = 0
  let removed = 0
  while (removed < columns && index < text.length) {
    const sign = text.charAt(index)
    if (sign === ' ') removed += 1
    else if (sign === '\t') removed += INDENT - (removed % INDENT)
    else break
    index += 1
  }
  return { text: text.slice(index), at: at + index }
}

/** Returns the offset of the first character that is not a space. */
export function textStart({ text, at }: Line): number {
  return at + text.length - text.trimStart().length
}

export function lineEnd({ text, at }: Line): number {
  return at + text.trimEnd().length
}

export function markOf(line: Line): Range {
  return { start: textStart(line), end: Math.max(lineEnd(line), textStart(line)) }
}

/** Matches the marker of a list item, such as `- ` or `1. `, with the spaces around it. */
const LIST_MARKER = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/

/** Replaces the marker of a list item with spaces, so that the text after it keeps its column. */
export function withoutListMarker(line: Line): Line {
  const marker = LIST_MARKER.exec(line.text)?.[0]
  if (marker === undefined) return line
  return { ...line, text: blank(marker) + line.text.slice(marker.length) }
}

function blank(text: string): string {
  return text.replaceAll(/\S/g, ' ')
}

/**
 * Returns the prefix that the lines below an offset need, which consists of indentation and the `>`
 * of quotes. Undefined if other text precedes the offset on its line.
 */
export function prefixAt(body: string, offset: number): string | undefined {
  let start = offset
  while (start > 0 && !/[\r\n]/.test(body.charAt(start - 1))) start -= 1
  const written = body.slice(start, offset)
  const quotes = /^[ \t>]*/.exec(written)?.[0] ?? ''
  const marker = written.slice(quotes.length)
  if (marker === '') return written
  return LIST_MARKER.test(`${marker}x`) ? quotes + blank(marker) : undefined
}

export type Fence = { readonly signs: string; readonly info: string; readonly infoAt: number }

/** Reads the first line of a fenced code block. */
export function readFence(text: string): Fence | undefined {
  const [, signs, info = ''] = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(text) ?? []
  if (signs === undefined || (signs.startsWith('`') && info.includes('`'))) return undefined
  const trimmed = info.trim()
  return { signs, info: trimmed, infoAt: text.length - info.trimStart().length }
}

export function closesFence(text: string, { signs }: Fence): boolean {
  const trimmed = text.trim()
  return trimmed.startsWith(signs) && trimmed === signs.charAt(0).repeat(trimmed.length)
}

/**
 * Returns the ranges of a line that contain code in backticks, tags or addresses. They are not
 * searched for syntax of other tools.
 */
export function literalParts(text: string): readonly Range[] {
  const parts: Range[] = []
  let at = 0
  while (at < text.length) {
    const sign = text.charAt(at)
    if (sign === '`') {
      let end = at
      while (text.charAt(end) === '`') end += 1
      const close = findBackticks(text, end, end - at)
      if (close >= 0) parts.push({ start: at, end: close })
      at = close >= 0 ? close : end
    } else if (sign === '<' && /[a-z/!]/i.test(text.charAt(at + 1))) {
      const close = text.indexOf('>', at)
      if (close < 0) break
      parts.push({ start: at, end: close + 1 })
      at = close + 1
    } else if (sign === ']' && text.charAt(at + 1) === '(') {
      const close = text.indexOf(')', at)
      if (close < 0) break
      parts.push({ start: at + 1, end: close + 1 })
      at = close
    } else if (text.startsWith('://', at)) {
      const end = at + (/^[^\s<>)\]]*/.exec(text.slice(at))?.[0].length ?? 0)
      parts.push({ start: at, end })
      at = end
    } else at += 1
  }
  return parts
}

/** Returns the end of the next sequence of exactly this many backticks, or -1. */
function findBackticks(text: string, from: number, count: number): number {
  let at = text.indexOf('`', from)
  while (at >= 0) {
    let end = at
    while (text.charAt(end) === '`') end += 1
    if (end - at === count) return end
    at = text.indexOf('`', end)
  }
  return -1
}
