/**
 * Parses JSON as nodes with positions. Unlike `JSON.parse`, it continues after a mistake whose
 * meaning is clear (trailing or missing comma, comment, single quotes, key without quotes), reports
 * each mistake, and detects duplicate keys. It never throws, and its depth is limited.
 *
 * Speed matters (a docs.json can be 2 MB): strings without escapes are sliced, not copied character
 * by character, and line numbers are computed only for diagnostics.
 */
import { type DiagnosticText, diagnose, type Fix, type Report } from '../diagnostics/diagnostic.ts'
import type { DiagnosticCode } from '../diagnostics/diagnostic-codes.ts'
import { formatCount, LIMITS } from '../diagnostics/limits.ts'
import type { JsonArray, JsonNode, JsonObject } from './json-node.ts'
import { placeAt } from './json-node.ts'
import { SourceText } from './source-text.ts'

/** Parses JSON. Returns undefined if no value can be recovered; the reason is reported. */
export function parseJson(file: string, text: string, report: Report): JsonNode | undefined {
  const source = new SourceText(file, text)
  const reader = new JsonReader(source, report)
  if (text.length > LIMITS.configSizeMax) {
    reader.complain('json/too-large', 0, {
      message: `${file} has ${formatCount(text.length)} characters; the limit is ${formatCount(LIMITS.configSizeMax)}.`,
      hint: 'Split it with `{"$ref": "./part.json"}`.',
    })
    return undefined
  }
  return reader.readDocument()
}

/** Thrown and caught only in this file, if parsing cannot continue. The reason is reported. */
class Unreadable extends Error {}

const QUOTE = 0x22
const APOSTROPHE = 0x27
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const SLASH = 0x2f
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const LOWER_T = 0x74
const LOWER_F = 0x66
const LOWER_N = 0x6e

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[\p{L}\p{N}_$.+-]+/uy
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

type Container = JsonArray | JsonObject

class JsonReader {
  readonly #source: SourceText
  readonly #text: string
  readonly #report: Report
  #at = 0
  #malformedAt = -1

  constructor(source: SourceText, report: Report) {
    this.#source = source
    this.#text = source.text
    this.#report = report
  }

  readDocument(): JsonNode | undefined {
    if (this.#text.charCodeAt(0) === 0xfeff) {
      this.complain('json/byte-order-mark', 0, {
        message: 'The file starts with an invisible byte order mark, which JSON does not allow.',
        hint: 'Save the file as "UTF-8", not "UTF-8 with BOM".',
        fix: { find: '\ufeff', put: '' },
      })
      this.#at = 1
    }
    try {
      const node = this.#readValue(0, undefined, '')
      this.#skipSpace()
      if (this.#at < this.#text.length) {
        if (node.type === 'string' && this.#text.charCodeAt(this.#at) === COLON) {
          this.#at = node.start
          this.#syntax('Expected `{`, found a key.', 'Start the file with `{`.')
          return undefined
        }
        this.#syntax(`Unexpected ${this.#seen()} after the end of the value.`, 'Remove it.')
      }
      return node
    } catch (error) {
      if (error instanceof Unreadable) return undefined
      throw error
    }
  }

  complain(code: DiagnosticCode, offset: number, text: DiagnosticText): void {
    this.#report(diagnose(code, placeAt(this.#source, offset, ''), text))
  }

  /** The parent and the key are set on creation, since setting them later would be slow. */
  #readValue(depth: number, parent: Container | undefined, key: string | number): JsonNode {
    this.#skipSpace()
    const start = this.#at
    const source = this.#source
    const code = this.#text.charCodeAt(start)
    if (code === QUOTE || code === APOSTROPHE) {
      const value = this.#readString(code)
      return { type: 'string', value, source, start, parent, key }
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (depth >= LIMITS.jsonDepthMax) {
        this.complain('json/too-deep', start, {
          message: `Values are nested more than ${LIMITS.jsonDepthMax} levels deep here.`,
          hint: 'Flatten the structure.',
        })
        throw new Unreadable()
      }
      return code === OPEN_BRACE
        ? this.#readObject(depth, parent, key)
        : this.#readArray(depth, parent, key)
    }
    if (code === LOWER_T && this.#text.startsWith('true', start))
      return this.#boolean(true, parent, key)
    if (code === LOWER_F && this.#text.startsWith('false', start))
      return this.#boolean(false, parent, key)
    if (code === LOWER_N && this.#text.startsWith('null', start)) {
      this.#at = start + 4
      return { type: 'null', source, start, parent, key }
    }
    return this.#readNumberOrWord(parent, key)
  }

  #boolean(value: boolean, parent: Container | undefined, key: string | number): JsonNode {
    const start = this.#at
    const text = String(value)
    this.#at += text.length
    return { type: 'boolean', value, text, source: this.#source, start, parent, key }
  }

  #readNumberOrWord(parent: Container | undefined, key: string | number): JsonNode {
    const start = this.#at
    const source = this.#source
    const number = this.#match(NUMBER)
    const word = number === '' ? this.#match(WORD) : ''
    if (number !== '') {
      return { type: 'number', value: Number(number), text: number, source, start, parent, key }
    }
    if (word === '') {
      this.#syntax(`Expected a value, found ${this.#seen()}.`, this.#hintForValue())
      throw new Unreadable()
    }
    // A word without quotes can only be a string whose quotes are missing.
    this.#unquoted(word, start, `\`${word}\` is not a JSON value.`)
    return { type: 'string', value: word, source, start, parent, key }
  }

  #readArray(depth: number, parent: Container | undefined, key: string | number): JsonArray {
    const items: JsonNode[] = []
    const start = this.#at
    const source = this.#source
    const node: JsonArray = { type: 'array', items, source, start, parent, key }
    this.#at += 1
    while (!this.#closes(CLOSE_BRACKET, start, 'list')) {
      items.push(this.#readValue(depth + 1, node, items.length))
      this.#readSeparator(CLOSE_BRACKET)
    }
    return node
  }

  #readObject(depth: number, parent: Container | undefined, key: string | number): JsonObject {
    const start = this.#at
    const source = this.#source
    const members: JsonObject['members'] = new Map()
    const node: JsonObject = { type: 'object', members, source, start, parent, key }
    this.#at += 1
    while (!this.#closes(CLOSE_BRACE, start, 'object')) {
      const keyStart = this.#at
      const name = this.#readKey()
      this.#skipSpace()
      if (this.#text.charCodeAt(this.#at) === COLON) this.#at += 1
      else
        this.#syntax(
          `Expected \`:\` after the key "${name}".`,
          'Put a colon between key and value.',
        )
      const value = this.#readValue(depth + 1, node, name)
      const earlier = members.get(name)
      if (earlier !== undefined) this.#duplicate(name, keyStart, earlier.keyStart)
      members.set(name, { keyStart, source, value })
      this.#readSeparator(CLOSE_BRACE)
    }
    return node
  }

  #duplicate(key: string, keyStart: number, earlierStart: number): void {
    const place = placeAt(this.#source, keyStart, '')
    const related = [
      { message: 'The first one is ignored.', place: placeAt(this.#source, earlierStart, '') },
    ]
    const message = `The key "${key}" appears twice in one object; only the last one is used.`
    const hint = 'Merge the two values, or remove one.'
    this.#report(diagnose('json/duplicate-key', place, { message, hint, related }))
  }

  /** Reports a syntax error, unless the last one was at the same place and may have caused it. */
  #malformed(offset: number, { fix, ...text }: DiagnosticText): void {
    if (offset === this.#malformedAt) return
    const isFirst = this.#malformedAt < 0
    this.#malformedAt = offset
    this.complain('json/syntax', offset, isFirst ? { ...text, fix } : text)
  }

  #unquoted(word: string, start: number, message: string): void {
    const fix = { find: word, put: `"${word}"` }
    this.#malformed(start, { message, hint: `Write ${fix.put} in double quotes.`, fix })
  }

  #readKey(): string {
    const code = this.#text.charCodeAt(this.#at)
    if (code === QUOTE || code === APOSTROPHE) return this.#readString(code)
    const start = this.#at
    const word = this.#match(WORD)
    if (word !== '') {
      this.#unquoted(word, start, `The key \`${word}\` has no quotes.`)
      return word
    }
    this.#syntax(`Expected a key in double quotes, found ${this.#seen()}.`, this.#hintForValue())
    throw new Unreadable()
  }

  /** Reads the comma between two entries, unless the end of the object or list follows. */
  #readSeparator(close: number): void {
    const valueEnd = this.#at
    this.#skipSpace()
    const code = this.#text.charCodeAt(this.#at)
    if (code === close || this.#at >= this.#text.length) return
    if (code !== COMMA) {
      if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return
      const find = this.#text.slice(valueEnd, this.#at + 1)
      this.#malformed(valueEnd, {
        message: `Missing comma before ${this.#seen()}.`,
        hint: 'Put a comma between the two entries.',
        fix: find.includes('\n') ? { find, put: `,${find}` } : undefined,
      })
      return
    }
    const commaAt = this.#at
    this.#at += 1
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== close) return
    this.complain('json/trailing-comma', commaAt, {
      message: 'There is a trailing comma before the closing bracket, which JSON does not allow.',
      hint: 'Remove the comma.',
      fix: { find: ',', put: '' },
    })
  }

  /** If the object or list ends here, skips the closing bracket and returns true. */
  #closes(close: number, openedAt: number, what: string): boolean {
    this.#skipSpace()
    const code = this.#text.charCodeAt(this.#at)
    if (code === close) {
      this.#at += 1
      return true
    }
    const closesAnother = code === CLOSE_BRACE || code === CLOSE_BRACKET
    if (!closesAnother && this.#at < this.#text.length) return false
    const { line, column } = this.#source.position(openedAt)
    const bracket = String.fromCharCode(close)
    this.#syntax(
      `Expected \`${bracket}\`, found ${this.#seen()}. The ${what} that starts on line ${line}, column ${column} is not closed.`,
      `Close it with \`${bracket}\`.`,
    )
    throw new Unreadable()
  }

  #readString(quote: number): string {
    const start = this.#at
    if (quote === APOSTROPHE) {
      const find = this.#match(/'[^'"\\\r\n]*'/y)
      this.#at = start
      const fix = find === '' ? undefined : { find, put: find.replaceAll("'", '"') }
      this.#syntax('A string is in single quotes.', 'Use double quotes.', fix)
    } else {
      const { length } = this.#text
      for (let end = start + 1; end < length; end += 1) {
        const code = this.#text.charCodeAt(end)
        if (code === QUOTE) {
          this.#at = end + 1
          return this.#text.slice(start + 1, end)
        }
        if (code === BACKSLASH || code < 0x20) break
      }
    }
    return this.#readEscapedString(quote)
  }

  #readEscapedString(quote: number): string {
    const start = this.#at
    let value = ''
    let index = start + 1
    for (; index < this.#text.length; index += 1) {
      const code = this.#text.charCodeAt(index)
      if (code === quote) {
        this.#at = index + 1
        return value
      }
      if (code === 0x0a || code === 0x0d) break
      if (code === BACKSLASH) {
        const escaped = this.#readEscape(index, quote)
        value += escaped.value
        index += escaped.length - 1
        continue
      }
      if (code < 0x20) {
        const name = `U+${code.toString(16).padStart(4, '0')}`
        this.#malformed(index, {
          message: `A string contains the unescaped control character ${name}.`,
          hint: `Write the character as \\u${code.toString(16).padStart(4, '0')}, or remove it.`,
        })
      }
      value += this.#text[index]
    }
    this.#syntax('This string has no closing quote on its line.', 'Close it with a double quote.')
    throw new Unreadable()
  }

  #readEscape(index: number, quote: number): { readonly value: string; readonly length: number } {
    const letter = this.#text[index + 1] ?? ''
    const simple = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined
    if (simple !== undefined) return { value: simple, length: 2 }
    // The single quotes have already been reported, and this escape is valid inside them.
    if (quote === APOSTROPHE && letter === "'") return { value: letter, length: 2 }
    const hex = this.#text.slice(index + 2, index + 6)
    if (letter === 'u' && /^[\da-f]{4}$/i.test(hex)) {
      return { value: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 }
    }
    this.#malformed(index, {
      message: `\`\\${letter}\` is not a valid JSON escape.`,
      hint: 'Write \\\\ for a backslash.',
    })
    return { value: '\\', length: 1 }
  }

  #skipSpace(): void {
    let hasSeenComment = false
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.#at += 1
      else if (code === SLASH && this.#skipComment(hasSeenComment)) hasSeenComment = true
      else return
    }
  }

  /** Skips a comment. Only the first of several consecutive comments is reported. */
  #skipComment(isOneMore: boolean): boolean {
    const start = this.#at
    const opener = this.#text.slice(start, start + 2)
    if (opener !== '//' && opener !== '/*') return false
    const closer = opener === '//' ? '\n' : '*/'
    const end = this.#text.indexOf(closer, start + 2)
    if (!isOneMore) {
      this.complain('json/comment', start, {
        message: 'JSON does not allow comments.',
        hint: 'Remove the comment. Octavo ignores it, but editors and other tools may reject the file.',
      })
    }
    this.#at = end === -1 ? this.#text.length : end + closer.length
    return true
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #syntax(message: string, hint: string, fix?: Fix): void {
    this.#malformed(this.#at, { message, hint, fix })
  }

  #seen(): string {
    if (this.#at >= this.#text.length) return 'the end of the file'
    return `\`${String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)}\``
  }

  #hintForValue(): string {
    if (this.#at >= this.#text.length) return 'The file ends too early. Is part of it missing?'
    if (this.#text.charCodeAt(this.#at) === COMMA) return 'Remove the extra comma.'
    return 'Look for a missing quote, comma or bracket just before this position.'
  }
}
