/**
 * Detects the final queries of a reader. Each pause in typing shows results, mostly for a partial
 * word; a query is final when the reader pauses longer, closes the dialog or opens a result.
 */
import { EVENT_LIMITS, type SiteEvent } from '@octavo/model/site-event'

/** After this time without typing, a query is final. */
const SETTLED_MS = 2_000
/** A single letter does not count as a query. */
const LENGTH_MIN = 2

export class SettledQueries {
  readonly #report: (event: SiteEvent) => void
  #answered: { readonly query: string; readonly results: number } | undefined
  /** The query that was reported last. It is not reported twice in a row. */
  #reported = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(report: (event: SiteEvent) => void) {
    this.#report = report
  }

  /** Handles typing: the previous query was not final. */
  typed(): void {
    clearTimeout(this.#timer)
    this.#answered = undefined
  }

  answered(query: string, results: number): void {
    this.typed()
    this.#answered = { query: query.slice(0, EVENT_LIMITS.queryLength), results }
    this.#timer = setTimeout(() => this.settle(), SETTLED_MS)
  }

  /** Handles a closed dialog or a long pause in typing: the query is final. */
  settle(): void {
    const answered = this.#answered
    this.typed()
    if (answered === undefined || answered.query.length < LENGTH_MIN) return
    if (answered.query === this.#reported) return
    this.#reported = answered.query
    this.#report({ type: 'search', ...answered })
  }

  /** Handles an opened result. The query may already have been reported. */
  opened(query: string, path: string): void {
    this.settle()
    if (query.length < LENGTH_MIN) return
    this.#report({ type: 'search-click', query: query.slice(0, EVENT_LIMITS.queryLength), path })
  }
}
