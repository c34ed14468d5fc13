/**
 * Which deployment is live at which name. It is asked for every request, so it answers from memory:
 * pointers that change are read every two seconds, all with one query. While the database is away,
 * what is known is served.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Database } from '../database/database.ts'

export type SitePointer = {
  readonly organisationId: string
  readonly projectId: string
  /** Readers need to be let in. */
  readonly isProtected: boolean
  readonly deploymentId: string
  /** The digest of the root of the manifest. */
  readonly root: string
  /** Those of deployments that were live in the last 30 days. */
  readonly earlier: readonly string[]
  /** The owner lets playgrounds send requests through the host. */
  readonly allowsProxy: boolean
}

type SiteRow = {
  readonly organisation_id: string
  readonly project_id: string
  readonly slug: string
  readonly protection: string
  readonly deployment_id: string | null
  readonly root: Buffer | null
  readonly earlier: readonly Buffer[]
  readonly playground_proxy: boolean
}

type Known = { readonly pointer: SitePointer | undefined; readonly readAt: number }

export type SiteDirectory = {
  /** Nothing for a name without a live site. Throws if the name is not known and cannot be looked up. */
  readonly find: (slug: string) => Promise<SitePointer | undefined>
  /** Reads the pointer once more: a host beside this one may know a newer one. */
  readonly refresh: (slug: string) => Promise<SitePointer | undefined>
  readonly start: () => void
  readonly stop: () => void
}

const SITES_MAX = 200_000
const POLL_MS = 2_000
/** How far back a poll looks: a transaction may have ended later than its time says. */
const OVERLAP_MS = 15_000
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
  const sites = new LRUCache<string, Known>({ max: SITES_MAX })
  const reading = new Map<string, Promise<SitePointer | undefined>>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = true
  let polledAt = now()

  const remember = (row: SiteRow) => sites.set(row.slug, { pointer: pointerOf(row), readAt: now() })

  /** Many may ask for one name at the same time: one query. */
  function read(slug: string): Promise<SitePointer | undefined> {
    const running = reading.get(slug)
    if (running !== undefined) return running
    const one = (async () => {
      const [row] = await database.query<SiteRow>('select * from find_site($1)', [slug])
      const pointer = row && pointerOf(row)
      sites.set(slug, { pointer, readAt: now() })
      return pointer
    })().finally(() => reading.delete(slug))
    reading.set(slug, one)
    return one
  }

  async function poll(): Promise<void> {
    const begun = now()
    const seconds = Math.ceil((begun - polledAt + OVERLAP_MS) / 1_000)
    const rows = await database.query<SiteRow>('select * from find_changed_sites($1)', [seconds])
    polledAt = begun
    // A name that nobody asked for need not be remembered.
    for (const row of rows) if (sites.has(row.slug)) remember(row)
  }

  async function round(): Promise<void> {
    await poll().catch(onError)
    if (!isStopped) timer = setTimeout(round, POLL_MS)
  }

  return {
    async find(slug) {
      const known = sites.get(slug)
      if (known === undefined) return read(slug)
      const age = now() - known.readAt
      if (known.pointer === undefined) return age < UNKNOWN_MS ? undefined : read(slug)
      // Served as it is, and read again beside.
      if (age > KNOWN_MS) {
        sites.set(slug, { ...known, readAt: now() })
        read(slug).catch(onError)
      }
      return known.pointer
    },
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

function pointerOf(row: SiteRow): SitePointer | undefined {
  if (row.deployment_id === null || row.root === null) return undefined
  return {
    organisationId: row.organisation_id,
    projectId: row.project_id,
    isProtected: row.protection !== 'public',
    deploymentId: row.deployment_id,
    root: row.root.toString('hex'),
    earlier: row.earlier.map((root) => root.toString('hex')),
    allowsProxy: row.playground_proxy,
  }
}
