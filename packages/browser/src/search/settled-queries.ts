/**
 * Detects the queries that a reader settles on. Each pause in typing shows results, mostly for a
 * partial word; a query counts when the reader pauses longer, closes the dialog or opens a result.
 */
import { EVENT_LIMITS, type SiteEvent } from '@octavo/model/site-event'

/** After this time without typing, a query is settled. */
const SETTLED_MS = 2_000
/** A single letter is not a query. */
const LENGTH_MIN = 2

export class SettledQueries {
  readonly #tell: (event: SiteEvent) => void
  #answered: { readonly query: string; readonly results: number } | undefined
  /** The last reported query, which is not reported twice in a row. */
  #told = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(tell: (event: SiteEvent) => void) {
    this.#tell = tell
  }

  /** Called when the reader types: the previous query was not final. */
  typed(): void {
    clearTimeout(this.#timer)
    this.#answered = undefined
  }

  answered(query: string, results: number): void {
    this.typed()
    this.#answered = { query: query.slice(0, EVENT_LIMITS.queryLength), results }
    this.#timer = setTimeout(() => this.settle(), SETTLED_MS)
  }

  /** Called when the dialog closes or after a pause in typing. */
  settle(): void {
    const answered = this.#answered
    this.typed()
    if (answered === undefined || answered.query.length < LENGTH_MIN) return
    if (answered.query === this.#told) return
    this.#told = answered.query
    this.#tell({ type: 'search', ...answered })
  }

  /** Called when a result is opened. Its query may have been reported already. */
  opened(query: string, path: string): void {
    this.settle()
    if (query.length < LENGTH_MIN) return
    this.#tell({ type: 'search-click', query: query.slice(0, EVENT_LIMITS.queryLength), path })
  }
}
