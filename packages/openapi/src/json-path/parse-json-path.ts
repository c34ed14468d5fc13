/**
 * Parses a JSONPath (RFC 9535). A path that the standard does not allow is refused, because other
 * tools would read it differently or not at all.
 */
import { InvalidPath, type PathProblem, PathReader } from './path-reader.ts'
import {
  type Condition,
  isSingular,
  type Operand,
  type Query,
  type Segment,
  type Selector,
  type Sign,
} from './query.ts'

/** The maximum number of characters of a path. */
const PATH_LENGTH_MAX = 4_000
/** The maximum number of parentheses, filters and functions inside each other. */
const PATH_DEPTH_MAX = 20

const SIGNS: readonly Sign[] = ['==', '!=', '<=', '>=', '<', '>']
const KEYWORDS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

export function parseJsonPath(text: string): Query | PathProblem {
  try {
    if (text.length > PATH_LENGTH_MAX) {
      throw new InvalidPath(`it has more than ${PATH_LENGTH_MAX} characters`, 0)
    }
    return new PathParser(text).whole()
  } catch (error) {
    if (error instanceof InvalidPath) return error.problem
    throw error
  }
}

type PatternTest = Extract<Condition, { is: 'match' | 'search' }>

function isPatternTest(found: Operand | PatternTest): found is PatternTest {
  return found.is === 'match' || found.is === 'search'
}

class PathParser {
  readonly #reader: PathReader
  #depth = 0

  constructor(text: string) {
    this.#reader = new PathReader(text)
  }

  whole(): Query {
    const reader = this.#reader
    reader.expect('$', 'at the start')
    const query = { isRelative: false, segments: this.#segments() }
    if (!reader.isAtEnd) reader.fail(`\`${reader.next}\` is not expected here`)
    return query
  }

  #segments(): readonly Segment[] {
    const reader = this.#reader
    const segments: Segment[] = []
    for (;;) {
      const start = reader.at
      reader.skipSpaces()
      const selectors = this.#segment()
      if (selectors === undefined) {
        // Spaces after a path are not part of it.
        reader.at = start
        return segments
      }
      segments.push({ ...selectors, end: reader.at })
    }
  }

  #segment(): Omit<Segment, 'end'> | undefined {
    const reader = this.#reader
    if (reader.accept('[')) return { isDescendant: false, selectors: this.#brackets() }
    if (!reader.accept('.')) return undefined
    const isDescendant = reader.accept('.')
    if (isDescendant && reader.accept('[')) return { isDescendant, selectors: this.#brackets() }
    if (reader.accept('*')) return { isDescendant, selectors: [{ is: 'wildcard' }] }
    const name = reader.name()
    if (name === undefined) {
      reader.fail(`a name or \`*\` must follow \`.\`; write other names as \`['/plants']\``)
    }
    return { isDescendant, selectors: [{ is: 'name', name: name ?? '' }] }
  }

  #brackets(): readonly Selector[] {
    const reader = this.#reader
    const selectors: Selector[] = []
    do {
      reader.skipSpaces()
      selectors.push(this.#selector())
      reader.skipSpaces()
    } while (reader.accept(','))
    reader.expect(']', 'after the selector')
    return selectors
  }

  #selector(): Selector {
    const reader = this.#reader
    if (reader.accept('*')) return { is: 'wildcard' }
    if (reader.accept('?')) {
      reader.skipSpaces()
      return { is: 'filter', condition: this.#inside(() => this.#or()) }
    }
    const name = reader.string()
    if (name !== undefined) return { is: 'name', name }
    const start = reader.integer()
    const after = reader.at
    reader.skipSpaces()
    if (reader.accept(':')) return this.#slice(start)
    reader.at = after
    if (start !== undefined) return { is: 'index', index: start }
    return reader.fail('brackets contain a name in quotes, an index, `*` or a filter `?…`')
  }

  #slice(start: number | undefined): Selector {
    const reader = this.#reader
    reader.skipSpaces()
    const end = reader.integer()
    reader.skipSpaces()
    let step: number | undefined
    if (reader.accept(':')) {
      reader.skipSpaces()
      step = reader.integer()
    }
    return { is: 'slice', start, end, step: step ?? 1 }
  }

  #or(): Condition {
    return this.#joined('or', '||', () => this.#joined('and', '&&', () => this.#basic()))
  }

  #joined(is: 'or' | 'and', sign: string, read: () => Condition): Condition {
    const reader = this.#reader
    const first = read()
    const conditions = [first]
    for (;;) {
      const before = reader.at
      reader.skipSpaces()
      if (!reader.accept(sign)) {
        reader.at = before
        return conditions.length === 1 ? first : { is, conditions }
      }
      reader.skipSpaces()
      conditions.push(read())
    }
  }

  #basic(): Condition {
    const reader = this.#reader
    const isNegated = reader.accept('!')
    if (isNegated) reader.skipSpaces()
    const condition = reader.accept('(') ? this.#parenthesized() : this.#test(isNegated)
    return isNegated ? { is: 'not', condition } : condition
  }

  #parenthesized(): Condition {
    const reader = this.#reader
    reader.skipSpaces()
    const condition = this.#inside(() => this.#or())
    reader.skipSpaces()
    reader.expect(')', 'after the condition')
    return condition
  }

  /** Reads a comparison, a path that must exist, or `match()` or `search()`. */
  #test(isNegated: boolean): Condition {
    const reader = this.#reader
    const start = reader.at
    const found = this.#operandOrTest()
    if (isPatternTest(found)) return found
    const before = reader.at
    reader.skipSpaces()
    const sign = SIGNS.find((one) => reader.accept(one))
    if (sign === undefined) {
      reader.at = before
      if (found.is === 'query') return { is: 'exists', query: found.query }
      return reader.fail('a comparison such as `== 1` must follow', before)
    }
    if (isNegated) reader.fail('write parentheses around the comparison after `!`', start)
    this.#checkSingular(found, start)
    reader.skipSpaces()
    return { is: 'comparison', left: found, sign, right: this.#operand() }
  }

  #operand(): Operand {
    const start = this.#reader.at
    const found = this.#operandOrTest()
    if (isPatternTest(found)) {
      return this.#reader.fail(`\`${found.is}()\` cannot be compared`, start)
    }
    this.#checkSingular(found, start)
    return found
  }

  #checkSingular(operand: Operand, start: number): void {
    if (operand.is === 'query' && !isSingular(operand.query)) {
      this.#reader.fail('only a path to one value can be compared', start)
    }
  }

  #operandOrTest(): Operand | PatternTest {
    const reader = this.#reader
    const query = this.#query()
    if (query !== undefined) return { is: 'query', query }
    const text = reader.string()
    if (text !== undefined) return { is: 'literal', value: text }
    const number = reader.number()
    if (number !== undefined) return { is: 'literal', value: number }
    const start = reader.at
    const word = reader.name() ?? ''
    const keyword = KEYWORDS.get(word)
    if (keyword !== undefined && reader.next !== '(') return { is: 'literal', value: keyword }
    if (word === '' || !reader.accept('(')) {
      return reader.fail('a value is missing: a path such as `@.name`, a string, a number', start)
    }
    reader.skipSpaces()
    const read = this.#inside(() => this.#function(word, start))
    reader.skipSpaces()
    reader.expect(')', 'after the arguments')
    return read
  }

  #function(name: string, start: number): Operand | PatternTest {
    const reader = this.#reader
    switch (name) {
      case 'length':
        return { is: 'length', of: this.#operand() }
      case 'count':
      case 'value': {
        const of = this.#query()
        return of === undefined ? reader.fail('a path is missing') : { is: name, of }
      }
      case 'match':
      case 'search': {
        const text = this.#operand()
        reader.skipSpaces()
        reader.expect(',', 'between the arguments')
        reader.skipSpaces()
        return { is: name, text, pattern: this.#operand() }
      }
      default:
        return reader.fail(
          `there is no function \`${name}()\`; the functions are length, count, match, search, value`,
          start,
        )
    }
  }

  #query(): Query | undefined {
    const isRelative = this.#reader.accept('@')
    if (!isRelative && !this.#reader.accept('$')) return undefined
    return { isRelative, segments: this.#inside(() => this.#segments()) }
  }

  #inside<Read>(read: () => Read): Read {
    if (this.#depth >= PATH_DEPTH_MAX) this.#reader.fail('it is nested too deeply')
    this.#depth += 1
    const found = read()
    this.#depth -= 1
    return found
  }
}
