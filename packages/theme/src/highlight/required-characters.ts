/**
 * Computes which characters must occur for a pattern to match. A grammar tries dozens of patterns
 * at every position, and most of them need something that the line does not have: a backquote, an
 * arrow, a `<`. This avoids nine searches out of ten, deterministically.
 *
 * The result is a list of clauses. Each clause is a set of ASCII characters of which at least one
 * must occur at or after the start of the search. In addition, each of the `words` must occur as a
 * whole. A pattern with unsupported syntax has no requirements: it is always searched.
 */
type Clause = readonly number[]
export type Requirements = {
  readonly clauses: readonly Clause[]
  readonly words: readonly string[]
}

const CLAUSE_LENGTH_MAX = 12
const CLAUSES_MAX = 4
const WORD_LENGTH_MIN = 3
const WORDS_MAX = 2
/** Beyond this length, the analysis costs more than it saves. */
const SOURCE_LENGTH_MAX = 20_000

/**
 * Matches unsupported syntax: inline flags, conditions and verbs, which change the meaning of
 * characters.
 */
const NOT_READ = /\(\?[a-z]*-?[a-z]+[):]|\(\?\(|\(\*|\(\?~/

const NOTHING: Requirements = { clauses: [], words: [] }

/** Returns the requirements of a JavaScript pattern, starting with those that lines rarely meet. */
export function requiredCharacters(pattern: RegExp): Requirements {
  const { clauses, words } = requiredBySource(pattern.source)
  if (!pattern.ignoreCase) return { clauses, words }
  return { clauses: clauses.map(withBothCases), words: [] }
}

/** Returns the requirements of a grammar's pattern, before it is compiled. */
export function requiredBySource(source: string): Requirements {
  if (source.length > SOURCE_LENGTH_MAX || NOT_READ.test(source)) return NOTHING
  const { clauses, words } = new Analysis(source).alternatives()
  return {
    clauses: clauses
      .filter(({ length }) => length <= CLAUSE_LENGTH_MAX)
      .sort((a, b) => likelihood(a) - likelihood(b))
      .slice(0, CLAUSES_MAX),
    words: words.sort((a, b) => b.length - a.length).slice(0, WORDS_MAX),
  }
}

function withBothCases(clause: Clause): Clause {
  const both = new Set<number>()
  for (const code of clause) {
    const letter = String.fromCharCode(code)
    both.add(letter.toLowerCase().charCodeAt(0)).add(letter.toUpperCase().charCodeAt(0))
  }
  return [...both]
}

/**
 * Estimates how often the characters of a clause occur in code: symbols are rare, common letters
 * are almost always present.
 */
function likelihood(clause: Clause): number {
  let sum = 0
  for (const code of clause) {
    const letter = String.fromCharCode(code)
    if (' etaoinsrl\n'.includes(letter)) sum += 100
    else if (/[a-z]/.test(letter)) sum += 30
    else if ('().,"=:'.includes(letter)) sum += 30
    else sum += 8
  }
  return sum
}

/** The requirements found so far. */
type Found = { readonly clauses: Clause[]; readonly words: string[] }

class Analysis {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  /**
   * Reads alternatives up to a closing bracket or the end of the pattern: one of them must match.
   */
  alternatives(): Found {
    let all = this.#sequence()
    while (this.#source[this.#at] === '|') {
      this.#at += 1
      all = either(all, this.#sequence())
    }
    return all
  }

  /** Reads a sequence: all of its parts must match. */
  #sequence(): Found {
    const all: Found = { clauses: [], words: [] }
    let word = ''
    const endWord = () => {
      if (word.length >= WORD_LENGTH_MIN) all.words.push(word)
      word = ''
    }
    while (this.#at < this.#source.length) {
      const sign = this.#source[this.#at]
      if (sign === '|' || sign === ')') break
      const from = this.#at
      const { clauses, words } = this.#part()
      const isAsserted = /^(?:\\[bB]|[\^$])$/.test(this.#source.slice(from, this.#at))
      const end = this.#at
      const isOptional = this.#isOptional()
      const code =
        clauses.length === 1 && sign !== '(' && sign !== '[' ? clauses[0]?.[0] : undefined
      if (!isOptional && code !== undefined && end === this.#at) word += String.fromCharCode(code)
      // A zero-width assertion does not separate the characters around it.
      else if (!isAsserted) endWord()
      if (isOptional) continue
      all.clauses.push(...clauses)
      all.words.push(...words)
    }
    endWord()
    return all
  }

  #part(): Found {
    const sign = this.#source[this.#at] ?? ''
    this.#at += 1
    switch (sign) {
      case '(':
        return this.#group()
      case '[':
        return only(this.#characterClass())
      case '\\':
        return only(this.#escape())
      case '.':
      case '^':
      case '$':
        return only([])
      default:
        return only(literal(sign))
    }
  }

  #group(): Found {
    const rest = this.#source.slice(this.#at, this.#at + 3)
    if (rest.startsWith('?#')) {
      this.#skipPast(')')
      return only([])
    }
    // Lookbehinds and negative lookaheads do not require any characters after the position.
    const isIgnored = rest.startsWith('?!') || rest.startsWith('?<=') || rest.startsWith('?<!')
    if (isIgnored) this.#at += rest.startsWith('?!') ? 2 : 3
    else if (/^\?[:=>]/.test(rest)) this.#at += 2
    else if (rest.startsWith('?<')) this.#skipPast('>')
    else if (rest.startsWith("?'")) {
      this.#at += 2
      this.#skipPast("'")
    }
    const inner = this.alternatives()
    this.#at += 1
    return isIgnored ? only([]) : inner
  }

  #characterClass(): Clause[] {
    const codes: number[] = []
    let isKnown = this.#source[this.#at] !== '^'
    let depth = 1
    // A leading `]` is literal.
    if (!isKnown) this.#at += 1
    if (this.#source[this.#at] === ']') {
      isKnown = false
      this.#at += 1
    }
    while (depth > 0 && this.#at < this.#source.length) {
      const sign = this.#source[this.#at] ?? ''
      this.#at += 1
      if (sign === ']') depth -= 1
      else if (sign === '[') {
        depth += 1
        isKnown = false
      } else if (sign === '\\') {
        const [clause] = this.#escape()
        if (clause === undefined) isKnown = false
        else codes.push(...clause)
      } else if (sign === '-' || sign === '&') {
        // The character is part of a range, a difference or an intersection.
        const from = codes.at(-1)
        const to = this.#source.charCodeAt(this.#at)
        const isRange = sign === '-' && from !== undefined && to > from && to < 128
        if (!isRange || this.#source[this.#at] === '\\') isKnown = false
        else for (let code = from + 1; code < to; code += 1) codes.push(code)
      } else if (sign.charCodeAt(0) > 127) isKnown = false
      else codes.push(sign.charCodeAt(0))
    }
    return isKnown && codes.length > 0 ? [[...new Set(codes)]] : []
  }

  #escape(): Clause[] {
    const sign = this.#source[this.#at] ?? ''
    this.#at += 1
    switch (sign) {
      case 'd':
        return []
      case 't':
        return [[9]]
      case 'n':
        return [[10]]
      case 'x':
        this.#skip(/(?:\{[^}]*\}|[\da-f]{1,2})/iy)
        return []
      case 'u':
        this.#skip(/(?:\{[^}]*\}|[\da-f]{4})/iy)
        return []
      case 'p':
      case 'P':
      case 'q':
        this.#skip(/\{[^}]*\}/y)
        return []
      case 'k':
      case 'g':
        this.#skip(/<[^>]*>|'[^']*'/y)
        return []
      case 'c':
        this.#at += 1
        return []
      case 'C':
      case 'M':
        this.#at += 2
        return []
      default:
        if (/\d/.test(sign)) this.#skip(/\d*/y)
        return /[A-Za-z\d]/.test(sign) ? [] : literal(sign)
    }
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #skipPast(sign: string): void {
    const end = this.#source.indexOf(sign, this.#at)
    this.#at = end < 0 ? this.#source.length : end + 1
  }

  /** Skips quantifiers; returns true if they allow zero occurrences. */
  #isOptional(): boolean {
    let isOptional = false
    for (;;) {
      const quantifier = this.#skip(/[?*+][?+]?|\{\d+(?:,\d*)?\}\??|\{,\d+\}/y)
      if (quantifier === '') return isOptional
      // In one dialect, `a{2}?` is an optional `a{2}`.
      isOptional ||= /^[?*]|^\{(?:0|,)|\}\?$/.test(quantifier)
    }
  }
}

function literal(sign: string): Clause[] {
  const code = sign.charCodeAt(0)
  return code < 128 ? [[code]] : []
}

function only(clauses: Clause[]): Found {
  return { clauses, words: [] }
}

/** Combines two alternatives: a character from the rarest clause of one of them must occur. */
function either(left: Found, right: Found): Found {
  const [one, other] = [rarest(left.clauses), rarest(right.clauses)]
  return only(one && other ? [[...new Set([...one, ...other])]] : [])
}

function rarest(clauses: readonly Clause[]): Clause | undefined {
  let best: Clause | undefined
  for (const clause of clauses)
    if (best === undefined || likelihood(clause) < likelihood(best)) best = clause
  return best
}
