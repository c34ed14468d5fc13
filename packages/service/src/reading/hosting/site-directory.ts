/**
 * Maps names to live deployments. This is needed for every request, so results are cached in
 * memory. Changed pointers are read every two seconds with one query, or immediately after a
 * notification. If the database is unavailable, the cached pointers are used.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Protection } from '@octavo/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/database/database.ts'
import { withTimeout } from '../../platform/with-timeout.ts'

type PreviewFacts = {
  /** The name of the live site with which the preview is compared. */
  readonly liveSlug: string
  readonly branch: string
  /** False for an unapproved deployment from a fork. */
  readonly runsScripts: boolean
  /** The number of the deployment that the preview shows. */
  readonly number: number
}

export type SitePointer = {
  readonly organizationId: string
  readonly projectId: string
  readonly publicId: string
  readonly preview: PreviewFacts | undefined
  /** The sign-in method of readers. */
  readonly protection: Protection
  readonly deploymentId: string
  /** The digest of the deployment's manifest root. */
  readonly root: string
  /** The digests of manifest roots of deployments that were live in the last 30 days. */
  readonly earlier: readonly string[]
  /** Whether the owner allows playgrounds to send requests through the proxy. */
  readonly allowsProxy: boolean
}

/** The reason why a project has no site at its current or former name. */
type SiteNotice =
  | { readonly kind: 'archived' }
  /** The project has a new name. */
  | { readonly kind: 'moved'; readonly slug: string }

type SiteRow = {
  readonly organization_id: string
  readonly project_id: string
  readonly public_id: string
  readonly slug: string
  readonly protection: Protection
  readonly deployment_id: string | null
  readonly root: Buffer | null
  readonly earlier: readonly Buffer[]
  readonly playground_proxy: boolean
  readonly preview: PreviewFacts | null
  readonly is_archived: boolean
  readonly moved_to: string | null
}

type Known = {
  readonly pointer: SitePointer | undefined
  readonly notice: SiteNotice | undefined
  readonly readAt: number
  /**
   * The number of the query that read this entry. Queries are numbered when they start, so a lower
   * number means an older result.
   */
  readonly query: number
}

const SITES_MAX = 200_000
const POLL_MS = 2_000
/** How far back each poll looks, since a transaction may commit later than its timestamp. */
const OVERLAP_MS = 15_000
/** The timeout for looking up a name that is not cached, while a reader waits. */
const LOOKUP_MS_MAX = 5_000
/** The minimum time between two reads of the same pointer, not counting polls. */
const REFRESH_MS = 100
/** How long a name is cached as having no site. */
const UNKNOWN_MS = 2_000
/** The maximum age of a cached pointer, for changes that neither polls nor notifications find. */
const KNOWN_MS = 60_000

type DirectoryDeps = {
  readonly database: Database
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export class SiteDirectory {
  readonly #deps: DirectoryDeps
  readonly #sites = new LRUCache<string, Known>({
    // `maxSize` is used instead of `max`, which would allocate memory for all entries at startup.
    maxSize: SITES_MAX,
    sizeCalculation: () => 1,
  })
  readonly #reading = new Map<string, Promise<SitePointer | undefined>>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = true
  #polledAt: number
  #queries = 0

  constructor(deps: DirectoryDeps) {
    this.#deps = deps
    this.#polledAt = deps.now()
  }

  /** Returns the live site at a name, if it is cached. */
  peek(slug: string): SitePointer | undefined {
    const { now, onError } = this.#deps
    const known = this.#sites.get(slug)
    // Returns the cached pointer, and refreshes it in the background.
    if (known?.pointer !== undefined && now() - known.readAt > KNOWN_MS) {
      this.#sites.set(slug, { ...known, readAt: now() })
      this.#read(slug).catch(onError)
    }
    return known?.pointer
  }

  /**
   * Returns the live site at a name, or undefined if no site is live. Throws if the name is not
   * cached and the lookup fails.
   */
  async find(slug: string): Promise<SitePointer | undefined> {
    const pointer = this.peek(slug)
    if (pointer !== undefined) return pointer
    const known = this.#sites.get(slug)
    // Notices are cached longer, because polls find restored projects and changed names.
    const keptMs = known?.notice === undefined ? UNKNOWN_MS : KNOWN_MS
    const isRecent = known !== undefined && this.#deps.now() - known.readAt < keptMs
    return isRecent ? undefined : this.#read(slug)
  }

  /** Returns the reason why there is no live site at a name, if it is cached. */
  noticeOf(slug: string): SiteNotice | undefined {
    return this.#sites.get(slug)?.notice
  }

  /** Reads a pointer again, in case another host already uses a newer one. */
  async refresh(slug: string): Promise<SitePointer | undefined> {
    const wait = REFRESH_MS - (this.#deps.now() - (this.#sites.get(slug)?.readAt ?? 0))
    // All waiting requests share one read, so that requests for missing files cannot overload the
    // database.
    if (wait <= 0) return this.#read(slug)
    const running = this.#reading.get(slug)
    if (running !== undefined) return running
    const one = sleep(wait).then(() => {
      this.#reading.delete(slug)
      return this.#read(slug)
    })
    this.#reading.set(slug, one)
    return one
  }

  /** Reads the pointer of a site after a notification, but only if the site is cached. */
  reread(slug: string): void {
    const running = this.#reading.get(slug)
    if (running === undefined && !this.#sites.has(slug)) return
    // A read that is in progress may have started before the change.
    const before = running?.catch(() => undefined) ?? Promise.resolve()
    before.then(() => this.#read(slug)).catch(this.#deps.onError)
  }

  start(): void {
    this.#isStopped = false
    void this.#round()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /**
   * Stores the result of a query and returns the newest pointer. Results of older queries are
   * ignored, because queries may not finish in the order in which they started.
   */
  #remember(slug: string, row: SiteRow | undefined, query: number): SitePointer | undefined {
    const known = this.#sites.get(slug)
    if (known !== undefined && known.query > query) return known.pointer
    const pointer = row && pointerOf(row)
    const readAt = this.#deps.now()
    this.#sites.set(slug, { pointer, notice: row && toSiteNotice(row), readAt, query })
    return pointer
  }

  #beginQuery(): number {
    this.#queries += 1
    return this.#queries
  }

  /** Reads a pointer. Concurrent requests for the same name share one query. */
  #read(slug: string): Promise<SitePointer | undefined> {
    const running = this.#reading.get(slug)
    if (running !== undefined) return running
    const one = this.#readNow(slug).finally(() => this.#reading.delete(slug))
    this.#reading.set(slug, one)
    return one
  }

  async #readNow(slug: string): Promise<SitePointer | undefined> {
    const query = this.#beginQuery()
    const [row] = await withTimeout(
      this.#deps.database.query<SiteRow>('select * from find_site($1)', [slug]),
      LOOKUP_MS_MAX,
    )
    return this.#remember(slug, row, query)
  }

  async #poll(): Promise<void> {
    const begun = this.#deps.now()
    const query = this.#beginQuery()
    const seconds = Math.ceil((begun - this.#polledAt + OVERLAP_MS) / 1_000)
    const rows = await this.#deps.database.query<SiteRow>('select * from find_changed_sites($1)', [
      seconds,
    ])
    this.#polledAt = begun
    // Only names that were requested before are cached.
    for (const row of rows) if (this.#sites.has(row.slug)) this.#remember(row.slug, row, query)
  }

  async #round(): Promise<void> {
    await this.#poll().catch(this.#deps.onError)
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#round(), POLL_MS)
  }
}

function toSiteNotice({ is_archived, moved_to }: SiteRow): SiteNotice | undefined {
  if (is_archived) return { kind: 'archived' }
  return moved_to === null ? undefined : { kind: 'moved', slug: moved_to }
}

function pointerOf(row: SiteRow): SitePointer | undefined {
  if (row.deployment_id === null || row.root === null) return undefined
  return {
    organizationId: row.organization_id,
    projectId: row.project_id,
    publicId: row.public_id,
    preview: row.preview ?? undefined,
    protection: row.protection,
    deploymentId: row.deployment_id,
    root: row.root.toString('hex'),
    earlier: row.earlier.map((root) => root.toString('hex')),
    allowsProxy: row.playground_proxy,
  }
}
