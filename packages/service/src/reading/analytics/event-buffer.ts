/**
 * Stores the counts of a process until they are written to the database. The number of keys per
 * project and in total is limited. Beyond these limits, events are counted as `(other)`, so that
 * arbitrary requests cannot fill the memory.
 */
export type EventName =
  | 'view'
  | 'file'
  | 'not-found'
  | 'agent'
  | 'referrer'
  | 'search'
  | 'search-click'
  | 'mcp'
  | 'playground'

export type EventCount = {
  readonly projectId: string
  /** The start of the hour, in milliseconds. */
  readonly hour: number
  readonly event: EventName
  readonly subject: string
  readonly detail: string
  readonly count: number
}

/** A visit to a page, or to the whole site if the subject is empty. */
type Visited = {
  readonly projectId: string
  /** The day in the format `2026-01-31`. */
  readonly day: string
  readonly subject: string
  readonly detail: string
}
/**
 * A visitor, identified by address and browser. Outside of this process, only a hash of both is
 * stored.
 */
export type Visitor = Visited & { readonly visitor: string }
export type Visit = Visited & { readonly hash: number }

const OTHER = '(other)'
export const SUBJECT_LENGTH_MAX = 300
const KEYS_OF_PROJECT_MAX = 4_000
const KEYS_MAX = 400_000
const VISITS_MAX = 200_000
const HOUR_MS = 3_600_000
/** Counts by event, subject and detail. */
type Counts = Map<string, Map<string, Map<string, number>>>
type ProjectCounts = {
  readonly counts: Counts
  /** The visitors' browsers, by detail, page and address. */
  readonly visits: Map<string, Map<string, Map<string, string[]>>>
  keys: number
}

/**
 * Counts events in nested maps. This runs for every page that is sent, so keys are looked up
 * instead of concatenated.
 */
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

  /** Adds a visitor to a page. The site's visitors are computed from those of its pages. */
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

  /** Returns all counts and visitors, and clears the buffer. */
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

/** Yields the visitors of each page, then those of the whole site with an empty subject. */
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
