/**
 * Counts the activity of readers in memory, and stores it every few seconds. Each batch has a
 * sequence number and is sent until the database has stored it, so nothing is counted twice, and a
 * killed process loses only what it has counted since it last stored its counts. Addresses, cookies
 * and user agents are not stored: an agent is one of a fixed list of names, and a visitor is a hash
 * that is deleted after a day.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Database } from '../../platform/database/database.ts'
import { addressOf, type FindClientAddress } from '../../platform/http/client-address.ts'
import type { Counted } from '../hosting/counted-file.ts'
import { agentName, audienceOf, createUserAgents } from './audience.ts'
import { type BatchStore, createBatchStore } from './batch-store.ts'
import { EventBuffer, type EventCount, type EventName, type Visit } from './event-buffer.ts'
import { createVisitHasher, type VisitHasher } from './hash-visits.ts'

/** How often counts are stored. A killed process loses at most the counts of this period. */
export const FLUSH_MS = 10_000
/** The maximum number of rows in one statement. */
const BATCH_MAX = 5_000

type RecorderDeps = {
  readonly database: Database
  readonly findClientAddress: FindClientAddress
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

type Batch = { readonly sequence: number; readonly counts: readonly EventCount[] }

export class EventRecorder {
  readonly #deps: RecorderDeps
  readonly #store: BatchStore
  readonly #hasher: VisitHasher
  readonly #buffer = new EventBuffer()
  readonly #userAgents = createUserAgents()
  readonly #host = randomUUID()
  #sequence = 0
  #counts: Batch[] = []
  #visits: Visit[][] = []
  #flushing = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: RecorderDeps) {
    this.#deps = deps
    this.#store = createBatchStore(deps.database)
    this.#hasher = createVisitHasher(this.#store)
  }

  /** Counts a request for a file or a missing page, unless `what` is undefined. */
  read(projectId: string, what: Counted | undefined, request: IncomingMessage): void {
    if (what === undefined || !isCounted(request)) return
    const at = this.#deps.now()
    const { event, subject } = what
    const userAgent = this.#userAgents(request.headers['user-agent'] ?? '')
    const detail = audienceOf(request, userAgent)
    this.#buffer.add(projectId, at, { event, subject, detail })
    if (detail === 'agents' && event !== 'not-found')
      this.#buffer.add(projectId, at, {
        event: 'agent',
        subject: agentName(userAgent),
        detail: event,
      })
    if (event !== 'view' || detail === 'bots') return
    const address = addressOf(request, this.#deps.findClientAddress) ?? ''
    this.#buffer.visit(projectId, at, { subject, detail, address, browser: userAgent.digest })
    const from = detail === 'people' ? referrerOf(request) : undefined
    if (from !== undefined)
      this.#buffer.add(projectId, at, { event: 'referrer', subject: from, detail })
  }

  count(
    projectId: string,
    what: { readonly event: EventName; readonly subject: string; readonly detail: string },
  ): void {
    this.#buffer.add(projectId, this.#deps.now(), what)
  }

  flush(): Promise<void> {
    const next = this.#flushing.then(() => this.#storeAll())
    this.#flushing = next.catch(() => undefined)
    return next
  }

  start(): void {
    this.#timer = setInterval(() => this.flush().catch(this.#deps.onError), FLUSH_MS)
  }

  /** Stops the recorder and stores all remaining counts. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush().catch(this.#deps.onError)
    // Stores the events that were counted during the first flush.
    await this.flush().catch(this.#deps.onError)
  }

  async #storeAll(): Promise<void> {
    // New batches are only created once the old ones are stored. While the database is unavailable,
    // only the buffer grows, which has a limit.
    if (this.#counts.length === 0 && this.#visits.length === 0) await this.#takeBatches()
    while (this.#counts[0] !== undefined) {
      const { sequence, counts } = this.#counts[0]
      await this.#store.storeCounts(this.#host, sequence, counts)
      this.#counts = this.#counts.slice(1)
    }
    while (this.#visits[0] !== undefined) {
      await this.#store.storeVisits(this.#visits[0])
      this.#visits = this.#visits.slice(1)
    }
  }

  async #takeBatches(): Promise<void> {
    if (this.#buffer.isEmpty) return
    const taken = this.#buffer.take()
    for (const counts of inParts(taken.counts)) {
      this.#sequence += 1
      this.#counts.push({ sequence: this.#sequence, counts })
    }
    this.#visits.push(...inParts(await this.#hasher.hashAll(taken.visitors)))
  }
}

/** Returns false for readers who opted out of tracking, and for pages that a browser prefetches. */
export function isCounted({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || hasOptedOut(headers)) return false
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz']
  return typeof purpose !== 'string' || !purpose.includes('prefetch')
}

/** Returns true if the browser sends Do Not Track or Global Privacy Control. */
export const hasOptedOut = (headers: IncomingHttpHeaders) =>
  headers.dnt === '1' || headers['sec-gpc'] === '1'

/** Returns the host of another site that linked to the page. The rest of the URL is ignored. */
export function referrerOf({ headers }: IncomingMessage): string | undefined {
  const { referer, host: own } = headers
  // Most referrers are pages of the same site, which are detected without parsing the URL.
  if (referer === undefined || isOwnPage(referer, own)) return undefined
  const [, host] = /^https?:\/\/([^/?#]+)/i.exec(referer) ?? []
  if (host === undefined || host === own) return undefined
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return name.length <= HOST_LENGTH_MAX && /^[a-z\d][a-z\d.-]*$/.test(name) ? name : undefined
}
const HOST_LENGTH_MAX = 253

function isOwnPage(referer: string, own = ''): boolean {
  const start = referer.indexOf('//') + 2
  return referer.startsWith(own, start) && referer.charAt(start + own.length) === '/'
}

function inParts<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / BATCH_MAX)
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX),
  )
}
