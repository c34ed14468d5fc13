import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/database/database.ts'
import type { KeyCaller } from '../../platform/http/caller.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { isWellFormedToken } from '../../platform/secrets/token.ts'
import { type FoundKey, findKey, type KeyUse, recordKeyUses } from './store.ts'

/** A key is looked up again after this time, so revoking one takes effect within a second. */
const CACHE_MS = 500
const CACHED_MAX = 10_000
/** The minimum time between two recorded uses of a key. */
const LAST_USE_MS = 60_000
/** The delay before recorded uses are written, many at once. */
const FLUSH_MS = 1_000

export type AuthenticateDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  readonly now: () => number
  readonly log: (error: unknown) => void
}

export type Authenticator = {
  readonly authenticate: (request: Request, address: string | undefined) => Promise<KeyCaller>
  /** Writes pending uses. */
  readonly flush: () => Promise<void>
}

type Cached = { readonly row: FoundKey | undefined; readonly until: number }

/** Creates the function that authenticates callers by their API key. */
export function createAuthenticator(deps: AuthenticateDeps): Authenticator {
  const cache = new LRUCache<string, Cached>({ max: CACHED_MAX })
  const used = new LRUCache<string, number>({ max: CACHED_MAX })
  const waiting = new Map<string, KeyUse>()
  let timer: NodeJS.Timeout | undefined

  async function lookUp(
    token: string,
    hash: Buffer,
    address: string | undefined,
  ): Promise<FoundKey | undefined> {
    const name = `${hash.toString('base64')} ${address}`
    const known = cache.get(name)
    if (known !== undefined && known.until > deps.now()) return known.row
    const hashes = [hash, ...deps.pepper.otherHashes('api key', token)]
    const row = await findKey(deps.database, hashes, address)
    cache.set(name, { row, until: deps.now() + CACHE_MS })
    return row
  }

  /**
   * Queues a use of the key, so that many uses are written at once: one round trip costs the same
   * for one or a thousand.
   */
  function noteUse(row: KeyUse): void {
    if ((used.get(row.id) ?? 0) > deps.now() - LAST_USE_MS) return
    used.set(row.id, deps.now())
    waiting.set(row.id, row)
    timer ??= setTimeout(() => void flush(), FLUSH_MS)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const uses = [...waiting.values()]
    waiting.clear()
    if (uses.length > 0) await recordKeyUses(deps.database, uses, deps.pepper.id).catch(deps.log)
  }

  async function authenticate(request: Request, address: string | undefined): Promise<KeyCaller> {
    const token = readBearer(request.headers.get('authorization'))
    const hash = deps.pepper.hash('api key', token)
    const row = await lookUp(token, hash, address)
    const now = deps.now()
    if (row === undefined || row.isRevoked)
      throw refused('This API key does not exist or was revoked.')
    if (row.expiresAtMs !== null && row.expiresAtMs <= now)
      throw refused('This API key has expired.')
    if (!row.isAllowed)
      throw new Problem('forbidden', 'This API key is not allowed from this IP address.')
    noteUse({ ...row, hash })
    return {
      kind: row.kind,
      keyId: row.id,
      actor: `key ${row.id}`,
      tenant: { organizationId: row.organizationId, projectId: row.projectId },
      projectPublicId: row.projectPublicId,
      isArchived: row.isArchived,
      scopes: row.scopes,
    }
  }

  return { authenticate, flush }
}

/** Requires exactly `Bearer`, one space, and a key. */
export function readBearer(header: string | null): string {
  if (header === null) throw refused('Send `Authorization: Bearer <key>`.')
  const match = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(header)
  const token = match?.[1]
  if (token === undefined) throw refused('Send `Authorization: Bearer <key>`, with one space.')
  if (!isWellFormedToken(token)) throw refused('Invalid API key: its format or checksum is wrong.')
  return token
}

function refused(detail: string): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': 'Bearer realm="octavo"' },
  })
}
