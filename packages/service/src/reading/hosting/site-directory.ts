/**
 * Which deployment is live at which name. It is asked for every request, so it answers from memory:
 * pointers that change are read every two seconds, all with one query, or at once where publishing is
 * heard of. While the database is away, what is known is served.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Protection } from '@octavo/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/database/database.ts'
import { inTime } from '../../platform/in-time.ts'

type PreviewFacts = {
  /** The name of the site that it is compared with. */
  readonly liveSlug: string
  readonly branch: string
  /** False for a deployment of a fork that nobody has approved. */
  readonly runsScripts: boolean
}

export type SitePointer = {
  readonly organizationId: string
  readonly projectId: string
  readonly publicId: string
  readonly preview: PreviewFacts | undefined
  /** How readers are let in. */
  readonly protection: Protection
  readonly deploymentId: string
  /** The digest of the root of the manifest. */
  readonly root: string
  /** Those of deployments that were live in the last 30 days. */
  readonly earlier: readonly string[]
  /** The owner lets playgrounds send requests through the host. */
  readonly allowsProxy: boolean
}

/** Why there is no site at a name that a project has or had. */
type SiteNotice =
  | { readonly kind: 'archived' }
  /** The project has another name now. */
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
  /** Queries are counted when they begin: the result of an earlier one is older. */
  readonly query: number
}

export type SiteDirectory = {
  /** The live site at a name, as far as it is known without asking the database. */
  readonly peek: (slug: string) => SitePointer | undefined
  /** Nothing for a name without a live site. Throws if the name is not known and cannot be looked up. */
  readonly find: (slug: string) => Promise<SitePointer | undefined>
  /** What readers of a name without a live site are told, as far as it is known. */
  readonly noticeOf: (slug: string) => SiteNotice | undefined
  /** Reads the pointer once more: a host beside this one may know a newer one. */
  readonly refresh: (slug: string) => Promise<SitePointer | undefined>
  /** Reads the pointer of a site that was published, if anyone asked for it before. */
  readonly reread: (slug: string) => void
  readonly start: () => void
  readonly stop: () => void
}

const SITES_MAX = 200_000
const POLL_MS = 2_000
/** How far back a poll looks: a transaction may have ended later than its time says. */
const OVERLAP_MS = 15_000
/** Of one name that is not known yet: a reader waits for it, and is told if the database hangs. */
const LOOKUP_MS_MAX = 5_000
/** Between two readings of one pointer beside the polls. */
const REFRESH_MS = 100
/** A name that nobody has is looked up again after this. */
const UNKNOWN_MS = 2_000
/** Also what changed without a deployment, such as the name, is seen after this. */
const KNOWN_MS = 60_000

export function createSiteDirectory(
  database: Database,
  deps: { readonly now: () => number; readonly onError: (error: unknown) => void },
): SiteDirectory {
  const { now, onError } = deps
  const sites = new LRUCache<string, Known>({
    // By size, because `max` reserves room for all of them when the service starts.
    maxSize: SITES_MAX,
    sizeCalculation: () => 1,
  })
  const reading = new Map<string, Promise<SitePointer | undefined>>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = true
  let polledAt = now()
  let queries = 0

  function beginQuery(): number {
    queries += 1
    return queries
  }

  /** Gives what is known then: a query that began later may have ended before. */
  function remember(
    slug: string,
    row: SiteRow | undefined,
    query: number,
  ): SitePointer | undefined {
    const known = sites.get(slug)
    if (known !== undefined && known.query > query) return known.pointer
    const pointer = row && pointerOf(row)
    sites.set(slug, { pointer, notice: row && noticeOfRow(row), readAt: now(), query })
    return pointer
  }

  /** Many may ask for one name at the same time: one query. */
  function read(slug: string): Promise<SitePointer | undefined> {
    const running = reading.get(slug)
    if (running !== undefined) return running
    const one = (async () => {
      const query = beginQuery()
      const [row] = await inTime(
        database.query<SiteRow>('select * from find_site($1)', [slug]),
        LOOKUP_MS_MAX,
      )
      return remember(slug, row, query)
    })().finally(() => reading.delete(slug))
    reading.set(slug, one)
    return one
  }

  async function poll(): Promise<void> {
    const begun = now()
    const query = beginQuery()
    const seconds = Math.ceil((begun - polledAt + OVERLAP_MS) / 1_000)
    const rows = await database.query<SiteRow>('select * from find_changed_sites($1)', [seconds])
    polledAt = begun
    // A name that nobody asked for need not be remembered.
    for (const row of rows) if (sites.has(row.slug)) remember(row.slug, row, query)
  }

  async function round(): Promise<void> {
    await poll().catch(onError)
    if (!isStopped) timer = setTimeout(round, POLL_MS)
  }

  function peek(slug: string): SitePointer | undefined {
    const known = sites.get(slug)
    // Served as it is, and read again beside.
    if (known?.pointer !== undefined && now() - known.readAt > KNOWN_MS) {
      sites.set(slug, { ...known, readAt: now() })
      read(slug).catch(onError)
    }
    return known?.pointer
  }

  return {
    peek,
    async find(slug) {
      const pointer = peek(slug)
      if (pointer !== undefined) return pointer
      const known = sites.get(slug)
      // Polls see when an archived project is back, or a name leads elsewhere.
      const keptMs = known?.notice === undefined ? UNKNOWN_MS : KNOWN_MS
      const isRecent = known !== undefined && now() - known.readAt < keptMs
      return isRecent ? undefined : read(slug)
    },
    noticeOf: (slug) => sites.get(slug)?.notice,
    async refresh(slug) {
      const wait = REFRESH_MS - (now() - (sites.get(slug)?.readAt ?? 0))
      // One read for all who wait, so nobody can make the database work by asking for nothing.
      if (wait <= 0) return read(slug)
      const running = reading.get(slug)
      if (running !== undefined) return running
      const one = sleep(wait).then(() => {
        reading.delete(slug)
        return read(slug)
      })
      reading.set(slug, one)
      return one
    },
    reread(slug) {
      const running = reading.get(slug)
      if (running === undefined && !sites.has(slug)) return
      // A read that is under way may have begun before the change.
      const before = running?.catch(() => undefined) ?? Promise.resolve()
      before.then(() => read(slug)).catch(onError)
    },
    start: () => {
      isStopped = false
      void round()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function noticeOfRow({ is_archived, moved_to }: SiteRow): SiteNotice | undefined {
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
