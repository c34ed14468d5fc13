/**
 * Matches text against the regular expression of an author. JavaScript's engine backtracks, so a
 * pattern is only run if the number of steps has a small bound, which a parse of the pattern shows.
 */

/** The maximum number of steps that a match may take, unless the caller decides about it. */
const STEPS_MAX = 20_000
const PATTERN_LENGTH_MAX = 1_000
const GROUP_DEPTH_MAX = 20
/** The maximum product of all counts such as `{8}`, because the engine copies what they repeat. */
const COUNTS_MAX = 10_000

/**
 * Returns whether the text matches; undefined if the pattern is not run. `allows` decides about the
 * number of steps that a match may take.
 */
export function matchesPattern(
  pattern: string,
  text: string,
  allows = (steps: number) => steps <= STEPS_MAX,
): boolean | undefined {
  if (pattern.length > PATTERN_LENGTH_MAX || isOtherDialect(pattern)) return undefined
  const compiled = compile(pattern)
  if (compiled === undefined) return undefined
  const start = /^\^/.test(pattern) ? 1 : text.length + 1
  const steps = new PatternCost(pattern, text.length + 1).total() * start
  return allows(steps) ? compiled.test(text) : undefined
}

/** Returns true for syntax that other languages read differently than JavaScript does. */
function isOtherDialect(pattern: string): boolean {
  return /\\[^\WdDwWsSbBnrtfvxupP\d]|\[\[:|\(\?[^:<=!]/.test(pattern)
}

function compile(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    // Without the flag, `\p` and `\u{…}` mean something else.
    if (flags === '' && /\\[pPu]/.test(pattern)) return undefined
    try {
      return new RegExp(pattern, flags)
    } catch {}
  }
  return undefined
}

/**
 * Computes a bound of the ways in which a pattern can match at one position: the product of the
 * choices of its quantifiers and alternatives. A group that repeats a varying number of times, a
 * backreference or a lookaround has no small bound.
 */
class PatternCost {
  readonly #pattern: string
  /** The number of ways in which an unlimited quantifier can match. */
  readonly #ways: number
  #at = 0
  #counts = 1

  constructor(pattern: string, ways: number) {
    this.#pattern = pattern
    this.#ways = ways
  }

  total(): number {
    const cost = this.#alternatives(0)
    const isWhole = this.#at === this.#pattern.length && this.#counts <= COUNTS_MAX
    return isWhole ? cost : Number.POSITIVE_INFINITY
  }

  #alternatives(depth: number): number {
    if (depth > GROUP_DEPTH_MAX) return Number.POSITIVE_INFINITY
    let sum = 0
    let product = 1
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ')') {
      if (this.#pattern[this.#at] === '|') {
        this.#at += 1
        sum += product
        product = 1
      } else product *= this.#item(depth)
    }
    return sum + product
  }

  #item(depth: number): number {
    if (this.#pattern[this.#at] === '(') return this.#group(depth)
    const [written = ''] = /^(?:\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S])/u.exec(this.#rest) ?? []
    this.#at += Math.max(1, written.length)
    if (/^\\[1-9]/.test(written)) return Number.POSITIVE_INFINITY
    const { least, most } = this.#quantifier()
    return Math.min(most, least + this.#ways) - least + 1
  }

  #group(depth: number): number {
    const [opening = ''] = /^\((?:\?:|\?<\w+>)?/.exec(this.#rest) ?? []
    this.#at += opening.length
    if (this.#pattern[this.#at] === '?') return Number.POSITIVE_INFINITY
    const inner = this.#alternatives(depth + 1)
    if (this.#pattern[this.#at] !== ')') return Number.POSITIVE_INFINITY
    this.#at += 1
    const { least, most } = this.#quantifier()
    if (most === least) return inner ** most
    return most === 1 ? inner + 1 : Number.POSITIVE_INFINITY
  }

  #quantifier(): { readonly least: number; readonly most: number } {
    const [written, least, comma, most] =
      /^(?:[*+?]|\{(\d{1,6})(,?)(\d{0,6})\})\??/.exec(this.#rest) ?? []
    if (written === undefined) return { least: 1, most: 1 }
    this.#at += written.length
    if (written.startsWith('*')) return { least: 0, most: Number.POSITIVE_INFINITY }
    if (written.startsWith('+')) return { least: 1, most: Number.POSITIVE_INFINITY }
    if (written.startsWith('?')) return { least: 0, most: 1 }
    this.#counts *= Math.max(1, Number(least), Number(most))
    if (comma === '') return { least: Number(least), most: Number(least) }
    return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) }
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at)
  }
}
