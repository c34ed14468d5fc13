/**
 * Counts what readers do, in memory, and stores it every few seconds. A batch has a number, and is sent with that
 * number until the database has it: a process that is killed loses what it counted since the last time, and nothing
 * is ever counted twice. No address, cookie or user agent is kept: of a visitor there is a hash, for a day.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Database } from '../../platform/database/database.ts'
import { addressOf, type FindClientAddress } from '../../platform/http/client-address.ts'
import type { Counted } from '../hosting/counted-file.ts'
import { audienceOf, createUserAgents } from './audience.ts'
import { createBatchStore } from './batch-store.ts'
import { EventBuffer, type EventCount, type EventName, type Visit } from './event-buffer.ts'
import { createVisitHasher } from './hash-visits.ts'

/** What a process that is killed has lost at most. */
export const FLUSH_MS = 10_000
/** Rows in one statement. */
const BATCH_MAX = 5_000

export type EventRecorder = {
  /** Something that a request asked for; nothing where it need not be counted. */
  readonly read: (projectId: string, what: Counted | undefined, request: IncomingMessage) => void
  readonly count: (
    projectId: string,
    what: { readonly event: EventName; readonly subject: string; readonly detail: string },
  ) => void
  readonly flush: () => Promise<void>
  readonly start: () => void
  /** Stores what was not stored yet. */
  readonly stop: () => Promise<void>
}

type RecorderDeps = {
  readonly database: Database
  readonly findClientAddress: FindClientAddress
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

type Batch = { readonly sequence: number; readonly counts: readonly EventCount[] }

export function createEventRecorder(deps: RecorderDeps): EventRecorder {
  const { findClientAddress, now, onError } = deps
  const store = createBatchStore(deps.database)
  const hasher = createVisitHasher(store)
  const buffer = new EventBuffer()
  const userAgents = createUserAgents()
  const host = randomUUID()
  let sequence = 0
  let counts: Batch[] = []
  let visits: Visit[][] = []
  let flushing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function takeBatches(): Promise<void> {
    if (buffer.isEmpty) return
    // Throws while the database is away, so addresses stay in the buffer, which has a limit, until they can be hashed.
    await hasher.saltOf(new Date(now()).toISOString().slice(0, 10))
    const taken = buffer.take()
    for (const part of inParts(taken.counts)) {
      sequence += 1
      counts.push({ sequence, counts: part })
    }
    visits.push(...inParts(await hasher.hashAll(taken.visitors)))
  }

  async function storeAll(): Promise<void> {
    // While the database is away, the buffer alone grows, and that has a limit.
    if (counts.length === 0 && visits.length === 0) await takeBatches()
    while (counts[0] !== undefined) {
      await store.storeCounts(host, counts[0].sequence, counts[0].counts)
      counts = counts.slice(1)
    }
    while (visits[0] !== undefined) {
      await store.storeVisits(visits[0])
      visits = visits.slice(1)
    }
  }

  function flush(): Promise<void> {
    const next = flushing.then(storeAll)
    flushing = next.catch(() => undefined)
    return next
  }

  return {
    read(projectId, what, request) {
      if (what === undefined || !isCounted(request)) return
      const at = now()
      const { event, subject } = what
      const userAgent = userAgents(request.headers['user-agent'] ?? '')
      const detail = audienceOf(request, userAgent)
      buffer.add(projectId, at, { event, subject, detail })
      if (event !== 'view' || detail === 'bots') return
      const address = addressOf(request, findClientAddress) ?? ''
      buffer.visit(projectId, at, { subject, detail, address, browser: userAgent.digest })
      const from = detail === 'people' ? referrerOf(request) : undefined
      if (from !== undefined)
        buffer.add(projectId, at, { event: 'referrer', subject: from, detail })
    },
    count: (projectId, what) => buffer.add(projectId, now(), what),
    flush,
    start: () => {
      timer = setInterval(() => flush().catch(onError), FLUSH_MS)
    },
    stop: async () => {
      clearInterval(timer)
      await flush().catch(onError)
      // What was counted while the batches before it were stored.
      await flush().catch(onError)
    },
  }
}

/** Neither those who ask not to be counted, nor pages that a browser fetches in case they are opened. */
export function isCounted({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || asksNotToBeCounted(headers)) return false
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz']
  return typeof purpose !== 'string' || !purpose.includes('prefetch')
}

/** Do Not Track, and Global Privacy Control. */
export const asksNotToBeCounted = (headers: IncomingHttpHeaders) =>
  headers.dnt === '1' || headers['sec-gpc'] === '1'

/** The host that a reader came from. The rest of the address is not looked at. */
export function referrerOf({ headers }: IncomingMessage): string | undefined {
  const { referer, host: own } = headers
  // Most come from the site itself: they are told without looking at the rest.
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
