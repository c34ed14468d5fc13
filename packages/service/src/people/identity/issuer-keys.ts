/**
 * The public keys of OpenID providers that owners named. Anybody can send a token that names a key which
 * is not known, or a provider that is away: both are asked again only after a while.
 */
import { createLocalJWKSet, errors, type JWK } from 'jose'
import { LRUCache } from 'lru-cache'
import type { CustomFetch } from 'openid-client'

/** `name` is the issuer as it writes itself in tokens. */
export type IssuerKeys = {
  readonly name: string
  readonly keyOf: ReturnType<typeof createLocalJWKSet>
}

type Reading = {
  /** Nothing if the provider does not answer as one does. */
  readonly found: Promise<IssuerKeys | undefined>
  readonly readAt: number
  hasFailed: boolean
}

const ISSUERS_MAX = 1_000
const KEYS_MS = 10 * 60_000
const AGAIN_MS = 30_000

export function createIssuerKeys(deps: {
  /** For addresses that owners typed. */
  readonly fetch: CustomFetch
  readonly onError: (error: unknown) => void
  readonly now: () => number
}) {
  const known = new LRUCache<string, Reading>({ max: ISSUERS_MAX })

  function load(issuer: string, ageMsMax: number): Promise<IssuerKeys | undefined> {
    const cached = known.get(issuer)
    const keptMs = cached?.hasFailed === true ? AGAIN_MS : ageMsMax
    if (cached !== undefined && deps.now() - cached.readAt < keptMs) return cached.found
    const reading: Reading = {
      found: readKeys(issuer, deps.fetch).catch((error: unknown) => {
        reading.hasFailed = true
        deps.onError(error)
        return undefined
      }),
      readAt: deps.now(),
      hasFailed: false,
    }
    known.set(issuer, reading)
    return reading.found
  }

  /** Runs with the keys, and once more if there was none for the token: it may be a new one. */
  return async function withKeys<Value>(
    issuer: string,
    run: (keys: IssuerKeys) => Promise<Value>,
  ): Promise<Value | undefined> {
    const keys = await load(issuer, KEYS_MS)
    try {
      return keys && (await run(keys))
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const newer = await load(issuer, AGAIN_MS)
      return newer && run(newer)
    }
  }
}

async function readKeys(issuer: string, fetch: CustomFetch): Promise<IssuerKeys> {
  const start = new URL(issuer)
  const about = await readJson(
    `${start.href.replace(/\/$/, '')}/.well-known/openid-configuration`,
    fetch,
  )
  const { issuer: name, jwks_uri: uri } = about
  const address = typeof uri === 'string' ? URL.parse(uri) : null
  // Keys may be at another host, as those of Google are, but never less safe than the issuer.
  const isSafe = address?.protocol === 'https:' || address?.protocol === start.protocol
  if (typeof name !== 'string' || URL.parse(name)?.href !== start.href || !isSafe)
    throw new Error(`The configuration of ${issuer} is not valid.`)
  const { keys } = await readJson(address.href, fetch)
  if (!Array.isArray(keys)) throw new Error(`No keys at ${address.href}.`)
  return { name, keyOf: createLocalJWKSet({ keys: keys.filter(mayVerify).map(textsOf) }) }
}

const mayVerify = (key: JWK | null) =>
  !Array.isArray(key?.key_ops) || key.key_ops.includes('verify')

/** What a key needs. The rest would be kept for as long, and a provider can send much in few bytes. */
const textsOf = (key: object | null) =>
  Object.fromEntries(
    Object.entries(key ?? {}).filter(([, value]) => typeof value === 'string'),
  ) as JWK

async function readJson(
  url: string,
  fetch: CustomFetch,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
  })
  const value: unknown = response.status === 200 ? await response.json() : undefined
  if (typeof value !== 'object' || value === null) throw new Error(`No JSON object at ${url}.`)
  return value as Readonly<Record<string, unknown>>
}
