import {
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticText,
  diagnose,
  didYouMean,
  formatCount,
  moreOccurrences,
  type Report,
} from '@octavo/model'
import { OPENAPI_LIMITS } from '../document/limits.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'

type NamedProblem = {
  readonly code: DiagnosticCode
  readonly text: () => DiagnosticText
  node: NodeId
  more: number
}

/**
 * Collects and reports the problems of one specification. A generated specification may contain the
 * same mistake a thousand times, so beyond a limit, problems with the same code are only counted.
 */
export class Problems {
  readonly document: SpecDocument
  readonly #report: Report
  readonly #counts = new Map<DiagnosticCode, number>()
  readonly #named = new Map<string, NamedProblem>()
  readonly #last = new Map<DiagnosticCode, Diagnostic>()

  constructor(document: SpecDocument, report: Report) {
    this.document = document
    this.#report = report
  }

  /** Adds a problem. `text` can be a function if its hint is expensive to compute. */
  add(code: DiagnosticCode, node: NodeId, text: DiagnosticText | (() => DiagnosticText)): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count > OPENAPI_LIMITS.problemsPerCodeMax) return
    const written = typeof text === 'function' ? text() : text
    this.#keep(count, diagnose(code, this.document.place(node), written))
  }

  /** Adds a problem that another parser found in the same file, with the same limit per code. */
  readonly forward = (diagnostic: Diagnostic): void => {
    const count = (this.#counts.get(diagnostic.code) ?? 0) + 1
    this.#counts.set(diagnostic.code, count)
    if (count <= OPENAPI_LIMITS.problemsPerCodeMax) this.#keep(count, diagnostic)
  }

  #keep(count: number, diagnostic: Diagnostic): void {
    if (count < OPENAPI_LIMITS.problemsPerCodeMax) this.#report(diagnostic)
    else this.#last.set(diagnostic.code, diagnostic)
  }

  /**
   * Adds a problem with an undefined name, which is reported only at the first place that uses it.
   */
  addNamed(code: DiagnosticCode, name: string, node: NodeId, text: () => DiagnosticText): void {
    const key = `${code} ${name}`
    const known = this.#named.get(key)
    if (known === undefined) this.#named.set(key, { code, node, text, more: 0 })
    else {
      known.node = Math.min(known.node, node)
      known.more += 1
    }
  }

  /** Reports the undefined names, and for each code the number of problems above the limit. */
  close(): void {
    for (const { code, node, text, more } of this.#named.values()) {
      this.add(code, node, () => {
        const written = text()
        return { ...written, message: `${written.message}${moreOccurrences(more)}` }
      })
    }
    for (const [code, diagnostic] of this.#last) {
      const more = (this.#counts.get(code) ?? 0) - OPENAPI_LIMITS.problemsPerCodeMax
      const message =
        more === 0
          ? diagnostic.message
          : `${diagnostic.message} There are ${formatCount(more)} more problems of this kind in the file.`
      this.#report({ ...diagnostic, message })
    }
  }
}

/** The maximum number of names to compare with a misspelled one. More would take seconds. */
const CANDIDATES_MAX = 2_000

/**
 * Returns "Did you mean `x`?", or `otherwise` if no name is similar or there are too many names.
 */
export function suggest(word: string, names: Iterable<string>, otherwise: string): string {
  const candidates = [...names]
  return candidates.length > CANDIDATES_MAX ? otherwise : didYouMean(word, candidates, otherwise)
}

/** The maximum number of names in a message. */
const NAMES_MAX = 5

/** Formats names as "`a`, `b`, `c` and 20 more". */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, NAMES_MAX).map((name) => `\`${name}\``)
  const more = names.length - listed.length
  return `${listed.join(', ')}${more === 0 ? '' : ` and ${formatCount(more)} more`}`
}
