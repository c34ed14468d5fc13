/**
 * Which queries a reader stopped at. While somebody types, each pause shows an answer, and most of those
 * are to the beginning of a word; a query counts when the reader rests, leaves, or opens a result.
 */
import { EVENT_LIMITS, type SiteEvent } from '@octavo/model/site-event'

/** Who types nothing for so long after an answer has read it. */
const SETTLED_MS = 2_000
/** One letter is no query. */
const LENGTH_MIN = 2

export class SettledQueries {
  readonly #tell: (event: SiteEvent) => void
  #answered: { readonly query: string; readonly results: number } | undefined
  /** The one that was told of last: who comes back to it does not ask again. */
  #told = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(tell: (event: SiteEvent) => void) {
    this.#tell = tell
  }

  /** The reader goes on typing: what was answered was not yet the query. */
  typed(): void {
    clearTimeout(this.#timer)
    this.#answered = undefined
  }

  answered(query: string, results: number): void {
    this.typed()
    this.#answered = { query: query.slice(0, EVENT_LIMITS.queryLength), results }
    this.#timer = setTimeout(() => this.settle(), SETTLED_MS)
  }

  /** The dialog was closed, or nothing was typed for a while. */
  settle(): void {
    const answered = this.#answered
    this.typed()
    if (answered === undefined || answered.query.length < LENGTH_MIN) return
    if (answered.query === this.#told) return
    this.#told = answered.query
    this.#tell({ type: 'search', ...answered })
  }

  /** A result was opened. It may belong to a query of which was told already. */
  opened(query: string, path: string): void {
    this.settle()
    if (query.length < LENGTH_MIN) return
    this.#tell({ type: 'search-click', query: query.slice(0, EVENT_LIMITS.queryLength), path })
  }
}
