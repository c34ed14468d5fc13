import type { Database, Tenant } from '../database/database.ts'
import { BoundedMap } from '../http/bounded-map.ts'
import { Problem } from '../http/problem.ts'
import type { Caller } from './caller.ts'
import { createKeyStore, type FoundKey, findKey } from './store.ts'
import { hashToken, isWellFormedToken } from './token.ts'

/** A key is looked up again after this long, so revoking one takes effect within a second. */
const CACHE_MS = 500
const CACHED_MAX = 10_000
/** How exactly the last use of a key is kept. */
const LAST_USE_MS = 60_000

export type AuthenticateDeps = {
  readonly database: Database
  readonly pepper: string
  readonly now: () => number
  readonly log: (error: unknown) => void
}

export type Authenticate = (request: Request, address: string | undefined) => Promise<Caller>

type TenantKey = FoundKey & { readonly tenant: Tenant }
type Cached = { readonly row: TenantKey | undefined; readonly until: number }

/** Makes the function that turns a request into a caller, or refuses it. */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const cache = new BoundedMap<string, Cached>(CACHED_MAX)
  const used = new BoundedMap<string, number>(CACHED_MAX)

  async function lookUp(
    token: string,
    address: string | undefined,
  ): Promise<TenantKey | undefined> {
    const hash = hashToken(token, deps.pepper)
    const name = `${hash.toString('base64')} ${address}`
    const known = cache.get(name)
    if (known !== undefined && known.until > deps.now()) return known.row
    const row = await load(hash, address)
    cache.set(name, { row, until: deps.now() + CACHE_MS })
    return row
  }

  async function load(hash: Buffer, address: string | undefined): Promise<TenantKey | undefined> {
    const found = await findKey(deps.database, hash)
    if (found === undefined) return undefined
    const { tenant, keyId } = found
    const row = await createKeyStore(deps.database.forProject(tenant)).find(keyId, address)
    return row && { ...row, tenant }
  }

  function noteUse(row: TenantKey): void {
    if ((used.get(row.id) ?? 0) > deps.now() - LAST_USE_MS) return
    used.set(row.id, deps.now())
    createKeyStore(deps.database.forProject(row.tenant)).markUsed(row.id).catch(deps.log)
  }

  return async (request, address) => {
    const token = readToken(request.headers.get('authorization'))
    const row = await lookUp(token, address)
    const now = deps.now()
    if (row === undefined || row.isRevoked)
      throw refused('This API key does not exist or was revoked.')
    if (row.expiresAtMs !== null && row.expiresAtMs <= now)
      throw refused('This API key has expired.')
    if (!row.isAllowed)
      throw new Problem('forbidden', 'This API key is not allowed from this IP address.')
    noteUse(row)
    return {
      kind: row.kind,
      keyId: row.id,
      tenant: row.tenant,
      projectPublicId: row.projectPublicId,
      scopes: row.scopes,
    }
  }
}

/** `Bearer`, one space, the key: nothing else is taken for a credential. */
function readToken(header: string | null): string {
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
