import { Problem } from '../http/problem.ts'
import type { Caller } from './caller.ts'
import type { KeyRow, KeyStore } from './store.ts'
import { hashToken, isWellFormedToken } from './token.ts'

/** A key is looked up again after this long, so revoking one takes effect within a second. */
const CACHE_MS = 500
const CACHED_MAX = 10_000
/** How exactly the last use of a key is kept. */
const LAST_USE_MS = 60_000

export type AuthenticateDeps = {
  readonly keys: KeyStore
  readonly pepper: string
  readonly now: () => number
  readonly log: (error: unknown) => void
}

export type Authenticate = (request: Request, address: string | undefined) => Promise<Caller>

type Cached = { readonly row: KeyRow | undefined; readonly until: number }

/** Makes the function that turns a request into a caller, or refuses it. */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const cache = new Map<string, Cached>()
  const used = new Map<string, number>()

  async function lookUp(token: string, address: string | undefined): Promise<KeyRow | undefined> {
    const hash = hashToken(token, deps.pepper)
    const name = `${hash.toString('base64')} ${address}`
    const known = cache.get(name)
    if (known !== undefined && known.until > deps.now()) return known.row
    const row = await deps.keys.find(hash, address)
    if (cache.size >= CACHED_MAX) cache.clear()
    cache.set(name, { row, until: deps.now() + CACHE_MS })
    return row
  }

  function noteUse(row: KeyRow): void {
    if ((used.get(row.id) ?? 0) > deps.now() - LAST_USE_MS) return
    if (used.size >= CACHED_MAX) used.clear()
    used.set(row.id, deps.now())
    deps.keys.markUsed(row.project_id, row.id).catch(deps.log)
  }

  return async (request, address) => {
    const token = readToken(request.headers.get('authorization'))
    const row = await lookUp(token, plainAddress(address))
    const now = deps.now()
    if (row === undefined || row.revoked_at !== null)
      throw refused('This key is not known, or was revoked.')
    if (row.expires_at !== null && row.expires_at.getTime() <= now)
      throw refused('This key has expired.')
    if (!row.allowed) throw new Problem('forbidden', 'This key may not be used from this address.')
    noteUse(row)
    return {
      keyId: row.id,
      projectId: row.project_id,
      projectPublicId: row.public_id,
      scopes: row.scopes,
    }
  }
}

/** `::ffff:10.0.0.1` is 10.0.0.1 to a list of networks, and a zone (`%eth0`) is no address. */
function plainAddress(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

/** `Bearer`, one space, the key: nothing else is taken for a credential. */
function readToken(header: string | null): string {
  if (header === null) throw refused('Send `Authorization: Bearer <key>`.')
  const match = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(header)
  const token = match?.[1]
  if (token === undefined) throw refused('Send `Authorization: Bearer <key>`, with one space.')
  if (!isWellFormedToken(token))
    throw refused('This is not an API key: its form or checksum is wrong.')
  return token
}

function refused(detail: string): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': 'Bearer realm="octavo"' },
  })
}
