/**
 * Rejects code on which the parser would recurse too deeply. The expression parser is native and
 * recursive: a few thousand levels crash the process, which `catch` cannot prevent. Levels come
 * from brackets, and from chains without a comma or semicolon, such as `!!!!a`, `a = a = a`,
 * `() => () => a` or `if (a) if (a) a`. So the length of such chains is counted for each open
 * bracket. Real pages have up to 30 open brackets.
 *
 * This check runs on every page, so text outside of brackets is skipped quickly.
 */
import { formatCount } from '@octavo/model'
import { CONTENT_LIMITS as LIMITS } from '../tree/content-limits.ts'

export type SourceProblem = { readonly offset: number; readonly message: string }

const OTHER = 0
const WORD = 1
const SIGN = 2
const UNARY = 3
const OPEN = 4
const CLOSE = 5
const END = 6
const SPACE = 7

const KINDS = classify()

function classify(): Uint8Array {
  const kinds = new Uint8Array(65_536)
  const set = (signs: string, kind: number) => {
    for (const sign of signs) kinds[sign.charCodeAt(0)] = kind
  }
  set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$', WORD)
  set('!~?=:', SIGN)
  set('+-', UNARY)
  set('([{', OPEN)
  set(')]}', CLOSE)
  set(',;', END)
  set(' \n\r\t', SPACE)
  return kinds
}

/** Keywords that can be repeated before an operand or a statement, such as `typeof typeof a`. */
const LINKS = new Set(
  'async await delete do else for if new return throw typeof void while with yield'
    .split(' ')
    .map((word) => packWord(word, 0, word.length)),
)
const LINK_LENGTH_MAX = 6

/** Encodes a short word as a number, with five bits per letter. */
function packWord(text: string, start: number, end: number): number {
  let packed = 0
  for (let index = start; index < end; index += 1)
    packed = (packed << 5) | (text.charCodeAt(index) & 31)
  return packed
}

/**
 * Returns the first place with too many open brackets or a chain that is too long. In a page, only
 * text in brackets and lines that start with `import` or `export` are code; in a module, everything
 * is.
 */
export function checkNesting(text: string, isModule: boolean): SourceProblem | undefined {
  const chains = new Uint32Array(LIMITS.bracketDepthMax + 1)
  let depth = 0
  let before = OTHER
  let wordStart = 0
  let isCode = isModule || isCodeLine(text, 0, false)
  const skip = isModule ? undefined : new TextSkipper(text)
  for (let index = 0; index < text.length; index += 1) {
    if (depth === 0 && !isCode && skip !== undefined) {
      index = skip.nextCode(index)
      if (index < 0) return undefined
      isCode = isCodeLine(text, index, false)
      before = OTHER
    }
    const code = text.charCodeAt(index)
    const kind = KINDS[code] ?? OTHER
    if (kind === WORD) {
      if (before !== WORD) wordStart = index
      before = WORD
      continue
    }
    let links = 0
    const isRead = isCode || depth > 0
    if (before === WORD && isRead) links = wordLinks(text, wordStart, index)
    if (kind === OPEN) {
      // A keyword before the bracket, as in `if (…)`, counts toward the chain outside the bracket.
      const length = (chains[depth] ?? 0) + links
      if (length > LIMITS.chainLengthMax) return tooLong(index)
      chains[depth] = length
      links = 0
      depth += 1
      if (depth > LIMITS.bracketDepthMax) return tooDeep(index)
      chains[depth] = 0
    } else if (kind === CLOSE) {
      if (depth > 0) depth -= 1
    } else if (kind === END) chains[depth] = 0
    else if (code === 0x0a && depth === 0 && !isModule) isCode = isCodeLine(text, index + 1, isCode)
    else if (isRead && (kind === SIGN || kind === UNARY)) links += signLinks(text, index, before)
    if (links > 0) {
      const length = (chains[depth] ?? 0) + links
      chains[depth] = length
      if (length > LIMITS.chainLengthMax) return tooLong(index)
    }
    if (kind !== SPACE) before = kind
    else if (before === WORD) before = CLOSE
  }
  return undefined
}

/** Finds where code may begin: at an opening bracket, an import or an export. */
class TextSkipper {
  readonly #text: string
  readonly #next = [-1, -1, -1]
  readonly #module = /^(?:import|export)/gm
  #nextModule = -1

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the first offset, starting at `from`, where code may begin; -1 if no code follows. */
  nextCode(from: number): number {
    let nearest = this.#findModule(from)
    for (const [kind, sign] of ['(', '[', '{'].entries()) {
      let found = this.#next[kind] ?? -1
      if (found < from) {
        found = this.#text.indexOf(sign, from)
        if (found < 0) found = Number.POSITIVE_INFINITY
        this.#next[kind] = found
      }
      if (found < nearest) nearest = found
    }
    return nearest === Number.POSITIVE_INFINITY ? -1 : nearest
  }

  #findModule(from: number): number {
    if (this.#nextModule < from) {
      this.#module.lastIndex = from
      this.#nextModule = this.#module.exec(this.#text)?.index ?? Number.POSITIVE_INFINITY
    }
    return this.#nextModule
  }
}

function wordLinks(text: string, start: number, end: number): number {
  const length = end - start
  return length > 1 && length <= LINK_LENGTH_MAX && LINKS.has(packWord(text, start, end)) ? 1 : 0
}

/**
 * Returns 1 if a sign extends a chain. `-` and `+` do before an operand, but not in a rule such as
 * `----`.
 */
function signLinks(text: string, index: number, before: number): number {
  const code = text.charCodeAt(index)
  if (KINDS[code] === SIGN) return isAttribute(text, index) ? 0 : 1
  const isPrefix = before !== WORD && before !== CLOSE
  return isPrefix && text.charCodeAt(index - 1) !== code ? 1 : 0
}

/**
 * Checks whether a line is code, which starts with an import or export and ends at a blank line.
 */
function isCodeLine(text: string, start: number, isCode: boolean): boolean {
  const code = text.charCodeAt(start)
  if (code === 0x69 || code === 0x65) {
    const word = packWord(text, start, start + 6)
    if (word === IMPORT || word === EXPORT) return true
  }
  return isCode && code !== 0x0a && code !== 0x0d
}

const IMPORT = packWord('import', 0, 6)
const EXPORT = packWord('export', 0, 6)

/**
 * Checks whether `=` belongs to an attribute such as `a="b"`, which cannot form a chain. An
 * assignment such as `a=b` can.
 */
function isAttribute(text: string, index: number): boolean {
  const next = text.charCodeAt(index + 1)
  return text.charCodeAt(index) === 0x3d && (next === 0x22 || next === 0x27 || next === 0x7b)
}

function tooDeep(offset: number): SourceProblem {
  const limit = formatCount(LIMITS.bracketDepthMax)
  return { offset, message: `More than ${limit} brackets are nested.` }
}

function tooLong(offset: number): SourceProblem {
  const limit = formatCount(LIMITS.chainLengthMax)
  return { offset, message: `An expression chains more than ${limit} operators.` }
}
