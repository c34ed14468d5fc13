/**
 * Finds the next match of many patterns, for grammars. Three optimizations make it fast: a pattern
 * that cannot match is skipped (`required-characters.ts`), a search is not repeated while its
 * result is valid, and groups are computed only for the pattern that matches first.
 */
import type { PatternScanner, RegexEngine, RegexEngineString } from '@shikijs/primitive'
import type { IOnigMatch } from '@shikijs/vscode-textmate'
import { toRegExp } from 'oniguruma-to-es'
import { type Requirements, requiredBySource, requiredCharacters } from './required-characters.ts'

/** Thrown if code needs many more searches than usual; the rest of it is then not highlighted. */
export class SearchLimit extends Error {}

/** Limits the number of searches per text. A time limit would make builds irreproducible. */
export class SearchBudget {
  #left = 0

  reset(searches: number): void {
    this.#left = searches
  }

  get left(): number {
    return this.#left
  }

  spend(searches = 1): void {
    this.#left -= searches
    if (this.#left < 0) throw new SearchLimit('too many searches')
  }
}

/**
 * Checks for groups. It may have false positives: a bracket in a character class looks like a
 * group.
 */
const HAS_GROUPS = /\((?!\?)|\(\?<(?![!=])/
const NOTHING = /(?!)/dgv

/** A pattern of a grammar. Most patterns are never compiled, because they cannot match any line. */
class Pattern {
  readonly #source: string
  readonly #translate: Translate
  #required: Requirements
  #compiled: Compiled | undefined

  constructor(source: string, translate: Translate) {
    this.#source = source
    this.#translate = translate
    this.#required = requiredBySource(source)
  }

  get compiled(): Compiled {
    this.#compiled ??= this.#compile()
    return this.#compiled
  }

  canMatch(line: Line, start: number): boolean {
    for (const clause of this.#required.clauses) {
      let isMet = false
      for (const code of clause) {
        if ((line.lastOf[code] ?? -1) >= start) {
          isMet = true
          break
        }
      }
      if (!isMet) return false
    }
    for (const word of this.#required.words) {
      if (!line.content.includes(word, start)) return false
    }
    return true
  }

  #compile(): Compiled {
    const full = this.#translate(this.#source)
    const isPlain = Object.getPrototypeOf(full) === RegExp.prototype
    if (isPlain) this.#required = requiredCharacters(full)
    return {
      full,
      quick: isPlain ? new RegExp(full.source, full.flags.replace('d', '')) : undefined,
      hasGroups: !isPlain || HAS_GROUPS.test(full.source),
      isSticky: full.sticky,
    }
  }
}

type Compiled = {
  /** Computes the positions of the pattern's groups. */
  readonly full: RegExp
  /**
   * Searches without computing groups; undefined for emulated patterns, which need more than a
   * RegExp.
   */
  readonly quick: RegExp | undefined
  readonly hasGroups: boolean
  readonly isSticky: boolean
}

/**
 * The JavaScript version of translated patterns. `ES2025` has `(?i:…)`, which makes them shorter
 * and faster; the matches are the same.
 */
export type Target = 'ES2024' | 'ES2025'

/** Translates a pattern of a grammar to JavaScript. */
export type Translate = (source: string) => RegExp

export function translatePattern(source: string, target: Target): RegExp {
  try {
    return toRegExp(source, {
      target,
      global: true,
      hasIndices: true,
      rules: {
        allowOrphanBackrefs: true,
        asciiWordBoundaries: true,
        captureGroup: true,
        recursionLimit: 5,
        singleline: true,
      },
    })
  } catch {
    // If JavaScript cannot express a pattern, only some colors are missing.
    return NOTHING
  }
}

type Line = RegexEngineString & {
  readonly id: number
  /** The last position of each ASCII character; -1 if it does not occur. */
  readonly lastOf: Int32Array
}

const ABSENT = 4_294_967_295
const NEVER = 0x7fff_ffff
const NO_MATCH = -2

export function createPatternEngine(budget: SearchBudget, translate: Translate): RegexEngine {
  const known = new Map<string, Pattern>()
  let lastId = 0
  const patternOf = (source: string | RegExp): Pattern => {
    if (typeof source !== 'string') throw new Error('the grammar is already compiled')
    const found = known.get(source)
    if (found !== undefined) return found
    const made = new Pattern(source, translate)
    known.set(source, made)
    return made
  }
  return {
    createScanner: (sources) => new Scanner(sources.map(patternOf), budget),
    createString(content) {
      lastId += 1
      return readLine(content, lastId)
    },
  }
}

/** Latin-1 characters that represent all letters, symbols and spaces outside of Latin-1. */
const ANY_LETTER = 0xaa
const ANY_SIGN = 0xa4
const ANY_SPACE = 0xa0
const LETTER = /[\p{L}\p{N}\p{M}]/u

/**
 * Converts a line to Latin-1 for the patterns, without changing its length. Engines compile a
 * pattern once for such text, and again at ten times the cost for other text, even if only one line
 * of a page needs it. No grammar distinguishes between non-Latin letters.
 */
function readLine(content: string, id: number): Line {
  const lastOf = new Int32Array(128).fill(-1)
  const codes = new Array<number>(content.length)
  for (let at = 0; at < content.length; at += 1) {
    const code = content.charCodeAt(at)
    if (code < 128) lastOf[code] = at
    codes[at] = code < 256 ? code : substitute(content.charAt(at))
  }
  return { content: String.fromCharCode(...codes), id, lastOf }
}

function substitute(sign: string): number {
  if (LETTER.test(sign)) return ANY_LETTER
  return sign.trim() === '' ? ANY_SPACE : ANY_SIGN
}

class Scanner implements PatternScanner {
  readonly #patterns: readonly Pattern[]
  readonly #budget: SearchBudget
  /** The patterns that may still match on the line, in order, followed by unused entries. */
  readonly #alive: Uint16Array
  #aliveCount = 0
  /** The position of the last match of each pattern; valid until the search has passed it. */
  readonly #found: Int32Array
  readonly #end: Int32Array
  #lineId = -1
  #start = 0

  constructor(patterns: readonly Pattern[], budget: SearchBudget) {
    this.#patterns = patterns
    this.#budget = budget
    this.#alive = new Uint16Array(patterns.length)
    this.#found = new Int32Array(patterns.length)
    this.#end = new Int32Array(patterns.length)
  }

  findNextMatchSync(string: string | RegexEngineString, start: number): IOnigMatch | null {
    const line = (typeof string === 'string' ? readLine(string, -1) : string) as Line
    if (line.id !== this.#lineId || line.id < 0 || start < this.#start) this.#begin(line)
    this.#start = start
    const best = this.#findBest(line, start)
    const winner = this.#patterns[best]?.compiled
    if (winner === undefined) return null
    const at = this.#found[best] as number
    if (!winner.hasGroups) return wholeMatch(best, at, this.#end[best] as number)
    winner.full.lastIndex = winner.quick === undefined ? start : at
    return toMatch(best, winner.full.exec(line.content)?.indices ?? [])
  }

  #begin(line: Line): void {
    this.#lineId = line.id
    this.#found.fill(-1)
    const count = this.#patterns.length
    for (let index = 0; index < count; index += 1) this.#alive[index] = index
    this.#aliveCount = count
  }

  /**
   * Returns the index of the pattern with the first match; at equal positions, the first in the
   * list.
   */
  #findBest(line: Line, start: number): number {
    const alive = this.#alive
    const found = this.#found
    const count = this.#aliveCount
    let best = -1
    let bestAt = NEVER
    let kept = 0
    let position = 0
    for (; position < count; position += 1) {
      const index = alive[position] as number
      let at = found[index] as number
      if (at < start) {
        at = this.#search(index, line, start)
        if (at === NO_MATCH) continue
        // The match of an emulated pattern is only valid for this start position.
        found[index] = this.#patterns[index]?.compiled.quick === undefined ? -1 : at
      }
      alive[kept] = index
      kept += 1
      if (at < 0 || at >= bestAt) continue
      best = index
      bestAt = at
      if (at === start) {
        position += 1
        break
      }
    }
    if (kept < position) {
      alive.copyWithin(kept, position, count)
      this.#aliveCount = count - (position - kept)
    }
    return best
  }

  /**
   * Returns the position of the next match of a pattern; -1 if it does not match from `start`, and
   * `NO_MATCH` if it cannot match later on the line either.
   */
  #search(index: number, line: Line, start: number): number {
    const pattern = this.#patterns[index] as Pattern
    if (!pattern.canMatch(line, start)) return NO_MATCH
    this.#budget.spend()
    const { quick, full, isSticky } = pattern.compiled
    const regex = quick ?? full
    regex.lastIndex = start
    const match = regex.exec(line.content)
    if (match !== null) {
      this.#end[index] = regex.lastIndex
      return match.index
    }
    // A sticky pattern applies only to this position, and so may an emulated pattern.
    return quick === undefined || isSticky ? -1 : NO_MATCH
  }
}

function wholeMatch(index: number, start: number, end: number): IOnigMatch {
  return { index, captureIndices: [{ start, end, length: end - start }] }
}

function toMatch(
  index: number,
  indices: readonly (readonly [number, number] | undefined)[],
): IOnigMatch {
  const captureIndices = new Array(indices.length)
  for (let at = 0; at < indices.length; at += 1) {
    const pair = indices[at]
    captureIndices[at] =
      pair === undefined
        ? { start: ABSENT, end: ABSENT, length: 0 }
        : { start: pair[0], end: pair[1], length: pair[1] - pair[0] }
  }
  return { index, captureIndices }
}
