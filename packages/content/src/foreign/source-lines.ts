import type { Range } from './foreign-syntax.ts'

/** A line without its end, and the offset of its first character in the body. */
export type Line = { readonly text: string; readonly at: number }

/** Columns that a level of indentation has in Python-Markdown. */
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

/** Counts the columns before the text of a line; a tab ends at a multiple of four. */
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

/** Returns where a line has code in backticks, tags and addresses: no syntax of a tool is there. */
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

/** Returns the end of the next run of exactly this many backticks, or -1. */
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
