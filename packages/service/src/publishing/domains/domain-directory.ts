/**
 * Tracks which custom domains are served. All domains are in memory and are loaded again every few
 * seconds with one query, so an unknown name causes no query. If the database is down, the loaded
 * domains are still served.
 */
import type { Database } from '../../platform/database/database.ts'

type ServedDomain = {
  readonly slug: string
  /** The name that readers are redirected to. */
  readonly redirectTo: string | undefined
}

export type DomainDirectory = {
  readonly find: (name: string) => ServedDomain | undefined
  readonly isLoaded: () => boolean
  readonly refresh: () => Promise<void>
  readonly start: () => void
  readonly stop: () => void
}

type ServedRow = {
  readonly name: string
  readonly slug: string
  readonly redirect_to: string | null
}

const POLL_MS = 3_000

export function createDomainDirectory(
  database: Database,
  onError: (error: unknown) => void,
): DomainDirectory {
  let domains: ReadonlyMap<string, ServedDomain> = new Map()
  let isLoaded = false
  let isStopped = true
  let timer: NodeJS.Timeout | undefined
  let begun = 0
  let newest = 0

  async function refresh(): Promise<void> {
    begun += 1
    const query = begun
    const rows = await database.query<ServedRow>('select * from find_served_domains()')
    // Ignore these rows if a query that began later has already finished.
    if (query < newest) return
    newest = query
    domains = new Map(
      rows.map(({ name, slug, redirect_to }) => [
        name,
        { slug, redirectTo: redirect_to ?? undefined },
      ]),
    )
    isLoaded = true
  }

  async function round(): Promise<void> {
    await refresh().catch(onError)
    if (!isStopped) timer = setTimeout(round, POLL_MS)
  }

  return {
    find: (name) => domains.get(name),
    isLoaded: () => isLoaded,
    refresh,
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
