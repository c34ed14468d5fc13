/** Reads the tokens of a JSONPath: names, strings, numbers and signs. */

export type PathProblem = { readonly message: string; readonly offset: number }

/** Thrown for a path that is not valid, and caught by `parseJsonPath`. */
export class InvalidPath extends Error {
  readonly problem: PathProblem

  constructor(message: string, offset: number) {
    super(message)
    this.problem = { message, offset }
  }
}

const SPACES = /[ \t\n\r]*/y
/** Names may contain `-`, which RFC 9535 does not allow but the Overlay Specification itself uses. */
const NAME = /[A-Za-z_\u0080-\uD7FF\uE000-\u{10FFFF}][\w\-\u0080-\uD7FF\uE000-\u{10FFFF}]*/uy
const INTEGER = /(?:0|-?[1-9]\d*)(?![\d])/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '/': '/',
  '\\': '\\',
}

export class PathReader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  get next(): string {
    return this.text[this.at] ?? ''
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  /** Reads a sign if it is next. */
  accept(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }

  expect(sign: string, what: string): void {
    if (!this.accept(sign)) this.fail(`\`${sign}\` is missing ${what}`)
  }

  skipSpaces(): void {
    this.#match(SPACES)
  }

  name(): string | undefined {
    return this.#match(NAME)
  }

  /** Reads an index or a bound of a slice. */
  integer(): number | undefined {
    const start = this.at
    const written = this.#match(INTEGER)
    if (written === undefined) return undefined
    const number = Number(written)
    if (!Number.isSafeInteger(number)) this.fail('the number is too large', start)
    return number
  }

  number(): number | undefined {
    const written = this.#match(NUMBER)
    return written === undefined ? undefined : Number(written)
  }

  /** Reads a string in single or double quotes. */
  string(): string | undefined {
    const quote = this.next
    if (quote !== '"' && quote !== "'") return undefined
    const start = this.at
    this.at += 1
    let value = ''
    for (;;) {
      const character = this.next
      if (character === '') return this.fail('the string is not closed', start)
      if (character < ' ') return this.fail('a string cannot contain a control character')
      this.at += 1
      if (character === quote) break
      value += character === '\\' ? this.#escape(quote) : character
    }
    if (!value.isWellFormed()) this.fail('half of a surrogate pair is missing', start)
    return value
  }

  fail(message: string, offset = this.at): never {
    throw new InvalidPath(message, offset)
  }

  #escape(quote: string): string {
    const character = this.next
    this.at += 1
    if (character === quote) return quote
    if (character !== 'u') return ESCAPES[character] ?? this.fail('unknown escape', this.at - 2)
    const digits = this.text.slice(this.at, this.at + 4)
    if (!/^[\da-fA-F]{4}$/.test(digits)) return this.fail('unknown escape', this.at - 2)
    this.at += 4
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.text) ?? []
    this.at += found?.length ?? 0
    return found
  }
}
