import type { Fix } from '@octavo/model'
import { allowedTag, VOID_TAGS } from '../allowed/allowed-html.ts'
import { COMPONENTS } from '../allowed/components.ts'
import { readTag } from './read-tag.ts'

export type MdxProblem = {
  /** `content/unescaped-character` if readers still see what the author intended. */
  readonly code: 'content/syntax' | 'content/unescaped-character'
  readonly message: string
  readonly hint: string
  readonly fix?: Fix | undefined
}

/** A repair of a mistake in MDX: the edit to the text, and the diagnostic. */
export type Repair = {
  readonly at: number
  readonly remove: number
  readonly insert: string
  /** The diagnostic; undefined if the text is shown as the author intended. */
  readonly problem: MdxProblem | undefined
}

/**
 * Parts of the parser's English messages, which identify its errors, since it has no error codes.
 * `parser-messages.test.ts` tests each one, and the parser's version is pinned exactly.
 */
export const PARSER_MESSAGES = {
  missingClosingTag: 'Expected a closing tag for `<',
  beforeTheEnd: ' before the end of `',
  otherClosingTag: ', expected corresponding closing tag for `<',
  openExpression: 'Unexpected end of file in expression',
  wrongExpression: 'Could not parse expression with oxc: ',
} as const

/**
 * Returns a repair for the mistake that the parser reported. The parser stops at the mistake, but
 * the author expects to see the rest of the page, with the faulty text as written.
 */
export function repairMdx(text: string, message: string): Repair | undefined {
  const offset = offsetOfMessage(text, message)
  if (offset === undefined) return undefined
  const says = (part: keyof typeof PARSER_MESSAGES) => message.includes(PARSER_MESSAGES[part])
  if (says('missingClosingTag') || says('otherClosingTag')) return repairTag(text, message, offset)
  if (says('openExpression') || says('wrongExpression')) return repairExpression(text, offset)
  const start = text.charAt(offset) === '<' ? offset : text.lastIndexOf('<', offset)
  if (start < 0) return undefined
  const joined = joinTagEnd(text, start)
  if (joined !== undefined) return joined
  const address = /^<([a-z][a-z\d+.-]*:\/\/[^\s<>]*)>/i.exec(text.slice(start, start + 2_000))
  // `<https://…>` is a link in Markdown. In MDX, the address is a link without the angle brackets.
  if (address !== null) {
    return { at: start, remove: address[0].length, insert: ` ${address[1]} `, problem: undefined }
  }
  return text.startsWith('<!--', start) ? repairComment(text, start) : escapeSign(text, start, '<')
}

/** Repairs a tag whose `>` a formatter put on its own line, where the parser sees a block quote. */
function joinTagEnd(text: string, at: number): Repair | undefined {
  const tag = readTag(text, at)?.slice(0, -1) ?? ''
  const kept = tag.trimEnd()
  if (!tag.slice(kept.length).includes('\n') || /\n[ \t\r]*\n/.test(tag)) return undefined
  const removed = tag.length - kept.length
  return { at: at + kept.length, remove: removed, insert: '', problem: undefined }
}

/**
 * Repairs an HTML comment. It is an error in MDX, but its meaning is clear, so it is not reported.
 */
function repairComment(text: string, at: number): Repair | undefined {
  const end = text.indexOf('-->', at)
  if (end < 0) return escapeSign(text, at, '<')
  const comment = text.slice(at + 4, end).replaceAll('*/', '* ')
  return { at, remove: end + 3 - at, insert: `{/* ${comment}*/}`, problem: undefined }
}

/** Returns the offset of the position that a message starts with, as in `3:14: Unexpected …`. */
export function offsetOfMessage(text: string, message: string): number | undefined {
  const place = /^(\d+):(\d+): /.exec(message)
  return place === null ? undefined : offsetOf(text, Number(place[1]), Number(place[2]))
}

/**
 * Converts a position to an offset. For the parser, lines end with LF, CRLF or CR, and columns are
 * UTF-16 units.
 */
function offsetOf(text: string, line: number, column: number): number {
  let start = 0
  let current = 1
  for (const { 0: lineEnd, index } of text.matchAll(/\r\n?|\n/g)) {
    if (current === line) break
    current += 1
    start = index + lineEnd.length
  }
  return Math.min(start + column - 1, text.length)
}

function repairTag(text: string, message: string, at: number): Repair | undefined {
  const named = /tag for `<([^`>\s/]*)[^`]*` \((\d+):(\d+)\)/.exec(message)
  const [, name = '', line, column] = named ?? []
  const open = named === null ? -1 : offsetOf(text, Number(line), Number(column))
  if (message.includes(PARSER_MESSAGES.otherClosingTag)) {
    const closing = text.charAt(at) === '<' ? at : text.lastIndexOf('<', at)
    const isIntended =
      VOID_TAGS.has(name) || (COMPONENTS.has(name) && closesOuter(text, open, closing))
    if (!isIntended) return escapeSign(text, closing, '<')
  }
  if (named === null) return undefined
  const end = endOfTag(text, open)
  if (end < 0) return escapeSign(text, open, '<')
  if (VOID_TAGS.has(name)) {
    const isSpaced = /\s/.test(text.charAt(end - 1))
    return {
      at: end,
      remove: 0,
      insert: '/',
      problem: {
        code: 'content/syntax',
        message: `\`<${name}>\` is never closed.`,
        hint: `In MDX, every tag must be closed: write \`<${name} />\`.`,
        fix: { find: '>', put: isSpaced ? '/>' : ' />' },
      },
    }
  }
  // `<Note>text` is on one line and `</Note>` on another. With a line break after `<Note>`, the tag
  // is a block.
  const lineStart = text.lastIndexOf('\n', open - 1) + 1
  const closesLater = text.includes(`</${name}>`, end)
  const lineEnd = text.indexOf('\n', end)
  const restOfLine = text.slice(end + 1, lineEnd < 0 ? text.length : lineEnd)
  const indent = text.slice(lineStart, open)
  if (
    message.includes(PARSER_MESSAGES.beforeTheEnd) &&
    closesLater &&
    restOfLine.trim() !== '' &&
    indent.trim() === ''
  ) {
    return {
      at: end + 1,
      remove: 0,
      insert: `\n\n${indent}`,
      problem: {
        code: 'content/syntax',
        message: `\`<${name}>\` opens in the middle of a paragraph and closes outside it.`,
        hint: 'Put the opening and the closing tag on separate lines.',
      },
    }
  }
  return COMPONENTS.has(name) && !closesLater
    ? repairComponent(text, open, name)
    : escapeSign(text, open, '<')
}

/**
 * Returns the offset of the `>` that ends a tag. A `>` in the value of an attribute does not end
 * it.
 */
function endOfTag(text: string, open: number): number {
  const tag = readTag(text, open)
  return tag === undefined ? text.indexOf('>', open) : open + tag.length - 1
}

/** Checks whether the closing tag belongs to a tag around the one at `open`. */
function closesOuter(text: string, open: number, closing: number): boolean {
  const name = /^<\/([\w.-]+)/.exec(text.slice(closing, closing + 100))?.[1]
  if (name === undefined || open < 1) return false
  return text.lastIndexOf(`<${name}`, open - 1) > text.lastIndexOf(`</${name}`, open - 1)
}

/**
 * Closes a component without a closing tag, so that its attributes are shown and its tag is not
 * text.
 */
function repairComponent(text: string, open: number, name: string): Repair | undefined {
  const tag = readTag(text, open)
  if (tag === undefined || tag.endsWith('/>')) return escapeSign(text, open, '<')
  const problem: MdxProblem = {
    code: 'content/syntax',
    message: `\`<${name}>\` is never closed.`,
    hint: `Write \`</${name}>\` after its content, or \`<${name} />\` if it has none.`,
  }
  const insert = tag === `<${name}>` ? '' : `${tag.slice(0, -1)}/>`
  return { at: open, remove: tag.length, insert, problem }
}

function repairExpression(text: string, at: number): Repair | undefined {
  const inner = text.charAt(at) === '{' ? at : openBrace(text, at)
  // In `{{ f(1) }}`, the parser stops at the second brace, but the first one starts the expression.
  const isDouble = text.charAt(inner - 1) === '{' && text.charAt(inner - 2) !== '\\'
  const open = isDouble ? inner - 1 : inner
  const repair = open < 0 ? undefined : escapeSign(text, open, '{')
  if (!isDouble || repair?.problem === undefined) return repair
  const insert = '\\{\\{'
  const { fix } = repair.problem
  const problem = { ...repair.problem, fix: fix && { find: '{{', put: insert } }
  return { ...repair, remove: 2, insert, problem }
}

/** Returns the offset of the innermost brace that is open at an offset. */
function openBrace(text: string, at: number): number {
  let depth = 0
  for (let index = Math.min(at, text.length) - 1; index >= 0; index -= 1) {
    const sign = text.charAt(index)
    if (sign === '}' && index < at) depth += 1
    else if (sign === '{' && depth === 0) return index
    else if (sign === '{') depth -= 1
  }
  return -1
}

/** Checks for text such as `<1 ms` and `<your-key>`: no element or component has such a name. */
function isNoTag(text: string, at: number): boolean {
  const [, name = ''] = /^<([\w.:-]*)/.exec(text.slice(at, at + 100)) ?? []
  if (/^\d|^$/.test(name)) return !/^<[/>!?]/.test(text.slice(at, at + 2))
  const isPlaceholder = /^[a-z\d]+(?:[-_][a-z\d]+)+$|^[A-Z][A-Z\d]*(?:[-_][A-Z\d]+)+$/.test(name)
  return isPlaceholder && allowedTag(name) === undefined && !text.includes(`</${name}`)
}

function escapeSign(text: string, at: number, sign: '<' | '{'): Repair | undefined {
  // If the character is already escaped, it is not the cause of the mistake.
  if (at < 0 || text.charAt(at - 1) === '\\') return undefined
  const line = text.slice(at, at + 30).split('\n', 1)[0] ?? ''
  const problem: MdxProblem =
    sign === '<'
      ? {
          code: 'content/unescaped-character',
          message: `\`${line}\` is not a complete tag, so it is shown as text.`,
          hint: 'Write `\\<` for a literal `<`, or close the tag.',
          fix: isNoTag(text, at) ? { find: '<', put: '\\<' } : undefined,
        }
      : {
          code: 'content/unescaped-character',
          message: `\`${line}\` is not a valid expression, so it is shown as text.`,
          hint: 'Write `\\{` for a literal brace, or put the text in backticks.',
          fix: text.charAt(at - 1) === '=' ? undefined : { find: '{', put: '\\{' },
        }
  return { at, remove: 0, insert: '\\', problem }
}
