import {
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticText,
  diagnose,
  didYouMean,
  formatCount,
  type Report,
} from '@octavo/model'
import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import { OPENAPI_LIMITS } from '../limits.ts'

/**
 * Reports what is wrong in one specification. A generated specification makes the same mistake a
 * thousand times: beyond a limit the problems of a code are counted, not listed.
 */
export class Problems {
  readonly document: SpecDocument
  readonly #report: Report
  readonly #counts = new Map<DiagnosticCode, number>()
  readonly #last = new Map<DiagnosticCode, Diagnostic>()

  constructor(document: SpecDocument, report: Report) {
    this.document = document
    this.#report = report
  }

  /** The text may be a function, where finding a hint costs something. */
  add(code: DiagnosticCode, node: NodeId, text: DiagnosticText | (() => DiagnosticText)): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count > OPENAPI_LIMITS.problemsPerCodeMax) return
    const written = typeof text === 'function' ? text() : text
    const diagnostic = diagnose(code, this.document.place(node), written)
    if (count < OPENAPI_LIMITS.problemsPerCodeMax) this.#report(diagnostic)
    else this.#last.set(code, diagnostic)
  }

  /** Says how many problems were counted only. */
  close(): void {
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

/** More names than this are not compared with what was written: it would take seconds. */
const CANDIDATES_MAX = 2_000

/** "Did you mean `x`?", or the sentence for when nothing is near or there are too many names. */
export function suggest(word: string, names: Iterable<string>, otherwise: string): string {
  const candidates = [...names]
  return candidates.length > CANDIDATES_MAX ? otherwise : didYouMean(word, candidates, otherwise)
}
