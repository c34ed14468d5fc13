/**
 * What a process has counted and not stored yet. Both the keys of one project and all of them together have a
 * limit: beyond it things are counted as `(other)`, so that nobody can fill the memory by asking for nonsense.
 */
export type EventName =
  | 'view'
  | 'file'
  | 'not-found'
  | 'referrer'
  | 'search'
  | 'search-click'
  | 'mcp'
  | 'playground'

export type EventCount = {
  readonly projectId: string
  /** Milliseconds at which its hour began. */
  readonly hour: number
  readonly event: EventName
  readonly subject: string
  readonly detail: string
  readonly count: number
}

/** Somebody who was at a page; without a subject, at the site. */
type Visited = {
  readonly projectId: string
  /** `2026-01-31` */
  readonly day: string
  readonly subject: string
  readonly detail: string
}
/** Known by address and browser, which leave the memory of the process as a hash only. */
export type Visitor = Visited & { readonly visitor: string }
export type Visit = Visited & { readonly hash: number }

const OTHER = '(other)'
export const SUBJECT_LENGTH_MAX = 300
const KEYS_OF_PROJECT_MAX = 4_000
const KEYS_MAX = 400_000
const VISITS_MAX = 200_000
const HOUR_MS = 3_600_000
/** By kind, subject and detail. */
type Counts = Map<string, Map<string, Map<string, number>>>
type ProjectCounts = {
  readonly counts: Counts
  /** By detail and page: who was there, as browsers by address. */
  readonly visits: Map<string, Map<string, Map<string, string[]>>>
  keys: number
}

/** Texts that repeat are looked up and never put together: this runs for every page that is sent. */
export class EventBuffer {
  readonly #hours = new Map<number, Map<string, ProjectCounts>>()
  #keys = 0
  #visits = 0

  add(
    projectId: string,
    atMs: number,
    { event, subject, detail }: Pick<EventCount, 'event' | 'subject' | 'detail'>,
  ): void {
    const own = this.#of(projectId, atMs)
    const details = own.counts.get(event)?.get(subject)
    const known = details?.get(detail)
    if (details !== undefined && known !== undefined) {
      details.set(detail, known + 1)
      return
    }
    const isFull = own.keys >= KEYS_OF_PROJECT_MAX || this.#keys >= KEYS_MAX
    const kept = isFull || subject.length > SUBJECT_LENGTH_MAX ? OTHER : subject
    const place = branch(branch(own.counts, event), kept)
    const before = place.get(detail)
    if (before === undefined) {
      own.keys += 1
      this.#keys += 1
    }
    place.set(detail, (before ?? 0) + 1)
  }

  /** Somebody at a page. Who was at the site follows from it. */
  visit(
    projectId: string,
    atMs: number,
    visit: Record<'subject' | 'detail' | 'address' | 'browser', string>,
  ): void {
    const { subject, detail, address, browser } = visit
    if (this.#visits >= VISITS_MAX || subject.length > SUBJECT_LENGTH_MAX) return
    const place = branch(branch(this.#of(projectId, atMs).visits, detail), subject)
    const known = place.get(address)
    if (known === undefined) place.set(address, [browser])
    else if (known.includes(browser)) return
    else known.push(browser)
    this.#visits += 1
  }

  #of(projectId: string, atMs: number): ProjectCounts {
    const hour = atMs - (atMs % HOUR_MS)
    let projects = this.#hours.get(hour)
    if (projects === undefined) {
      projects = new Map()
      this.#hours.set(hour, projects)
    }
    const known = projects.get(projectId)
    if (known !== undefined) return known
    const made = { counts: new Map(), visits: new Map(), keys: 0 }
    projects.set(projectId, made)
    return made
  }

  get isEmpty(): boolean {
    return this.#hours.size === 0
  }

  /** All that was counted; the buffer is empty then. */
  take(): { readonly counts: readonly EventCount[]; readonly visitors: readonly Visitor[] } {
    const counts: EventCount[] = []
    const visitors: Visitor[] = []
    for (const [hour, projects] of this.#hours) {
      const day = new Date(hour).toISOString().slice(0, 10)
      for (const [projectId, own] of projects) {
        for (const [event, subjects] of own.counts)
          for (const [subject, details] of subjects)
            for (const [detail, count] of details)
              counts.push({ projectId, hour, event: event as EventName, subject, detail, count })
        for (const [detail, pages] of own.visits)
          for (const [subject, visitor] of visitorsOf(pages))
            visitors.push({ projectId, day, subject, detail, visitor })
      }
    }
    this.#hours.clear()
    this.#keys = 0
    this.#visits = 0
    return { counts, visitors }
  }
}

function branch<Value>(tree: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = tree.get(key)
  if (known !== undefined) return known
  const made = new Map<string, Value>()
  tree.set(key, made)
  return made
}

/** Of each page, and without a subject of the site. */
function* visitorsOf(
  pages: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>,
): Generator<readonly [string, string]> {
  const all = new Set<string>()
  for (const [subject, addresses] of pages)
    for (const [address, browsers] of addresses)
      for (const browser of browsers) {
        const visitor = `${address} ${browser}`
        yield [subject, visitor]
        all.add(visitor)
      }
  for (const visitor of all) yield ['', visitor]
}
