/**
 * What a process has counted and not stored yet. Both the keys of one project and all of them together have a
 * limit: beyond it things are counted as `(other)`, so that nobody can fill the memory by asking for nonsense.
 */
export const EVENTS = [
  'view',
  'file',
  'not-found',
  'referrer',
  'search',
  'search-click',
  'mcp',
  'playground',
] as const
export type EventName = (typeof EVENTS)[number]

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
export type Visit = {
  readonly projectId: string
  /** `2026-01-31` */
  readonly day: string
  readonly subject: string
  readonly detail: string
  readonly hash: number
}

export const OTHER = '(other)'
export const SUBJECT_LENGTH_MAX = 300
const KEYS_OF_PROJECT_MAX = 4_000
const KEYS_MAX = 400_000
const VISITS_MAX = 400_000
const HOUR_MS = 3_600_000
/** Texts of readers and authors have none. */
const BETWEEN = '\0'

type ProjectCounts = {
  readonly counts: Map<string, number>
  readonly visits: Map<string, Set<number>>
}

export class EventBuffer {
  readonly #hours = new Map<number, Map<string, ProjectCounts>>()
  #keys = 0
  #visits = 0

  add(
    projectId: string,
    atMs: number,
    { event, subject, detail }: Pick<EventCount, 'event' | 'subject' | 'detail'>,
  ): void {
    const { counts } = this.#of(projectId, atMs)
    const cut = subject.length > SUBJECT_LENGTH_MAX ? OTHER : subject
    const key = event + BETWEEN + cut + BETWEEN + detail
    const known = counts.get(key)
    if (known !== undefined) {
      counts.set(key, known + 1)
      return
    }
    const isFull = counts.size >= KEYS_OF_PROJECT_MAX || this.#keys >= KEYS_MAX
    const kept = isFull ? event + BETWEEN + OTHER + BETWEEN + detail : key
    const before = counts.get(kept)
    if (before === undefined) this.#keys += 1
    counts.set(kept, (before ?? 0) + 1)
  }

  visit(
    projectId: string,
    atMs: number,
    { subject, detail, hash }: Omit<Visit, 'projectId' | 'day'>,
  ) {
    if (this.#visits >= VISITS_MAX || subject.length > SUBJECT_LENGTH_MAX) return
    const { visits } = this.#of(projectId, atMs)
    const key = subject + BETWEEN + detail
    const known = visits.get(key)
    if (known === undefined) visits.set(key, new Set([hash]))
    else if (known.has(hash)) return
    else known.add(hash)
    this.#visits += 1
  }

  #of(projectId: string, atMs: number): ProjectCounts {
    const hour = atMs - (atMs % HOUR_MS)
    const projects = this.#hours.get(hour) ?? new Map<string, ProjectCounts>()
    this.#hours.set(hour, projects)
    const known = projects.get(projectId)
    if (known !== undefined) return known
    const made = { counts: new Map(), visits: new Map<string, Set<number>>() }
    projects.set(projectId, made)
    return made
  }

  /** All that was counted; the buffer is empty then. */
  take(): { readonly counts: readonly EventCount[]; readonly visits: readonly Visit[] } {
    const counts: EventCount[] = []
    const visits: Visit[] = []
    for (const [hour, projects] of this.#hours) {
      const day = new Date(hour).toISOString().slice(0, 10)
      for (const [projectId, own] of projects) {
        for (const [key, count] of own.counts) {
          const [event, subject = '', detail = ''] = key.split(BETWEEN)
          counts.push({ projectId, hour, event: event as EventName, subject, detail, count })
        }
        for (const [key, hashes] of own.visits) {
          const [subject = '', detail = ''] = key.split(BETWEEN)
          for (const hash of hashes) visits.push({ projectId, day, subject, detail, hash })
        }
      }
    }
    this.#hours.clear()
    this.#keys = 0
    this.#visits = 0
    return { counts, visits }
  }
}
