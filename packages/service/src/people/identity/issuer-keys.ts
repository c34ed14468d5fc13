/**
 * Caches the public keys of token issuers that operators and owners configure. Anyone can send
 * tokens with an unknown key, or while the issuer is down, so in both cases keys are refetched only
 * after a delay.
 */
import { fetchOutbound, printOutboundFailure } from '@octavo/outbound'
import { createLocalJWKSet, errors, type JWK, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { type JwtRules, verifyJwt } from './verify-jwt.ts'

export type IssuerKeysDeps = {
  /**
   * True if the keys must be at the issuer's origin and the issuer's configuration must name the
   * issuer exactly as our settings do.
   */
  readonly isExact: boolean
  /** The maximum size of one response. */
  readonly bytesMax: number
  /** The minimum age of the keys before a token with an unknown key causes a refetch. */
  readonly unknownKeyMs: number
  /** How long to wait after a failed fetch before the next one. */
  readonly failureMs: number
  readonly allowPrivateHosts: readonly string[]
  /** Called once for each failed fetch, and for each key that cannot be used. */
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/**
 * Rules without the issuer, which is a parameter of `verify`. The audience is required, since
 * tokens for other services would be accepted otherwise.
 */
type IssuedRules = Omit<JwtRules, 'issuer' | 'nowMs'> & { readonly audience: string }

/** `name` is the issuer as written in its tokens. */
type KnownKeys = { readonly name: string; readonly keyOf: ReturnType<typeof createLocalJWKSet> }

/** A fetch of keys, which is shared if several tokens are verified at the same time. */
type Reading = { readonly keys: Promise<KnownKeys>; readonly readAt: number; hasFailed: boolean }

/** An error caused by the issuer, not by the token. */
export class IssuerError extends Error {
  constructor(url: string, reason: string) {
    super(`The issuer's keys cannot be read from ${url}: ${reason}.`)
  }
}

const ISSUERS_MAX = 1_000
const KEYS_MS = 10 * 60_000
const TOTAL_MS_MAX = 10_000

export class IssuerKeys {
  readonly #deps: IssuerKeysDeps
  readonly #known = new LRUCache<string, Reading>({ max: ISSUERS_MAX })

  constructor(deps: IssuerKeysDeps) {
    this.#deps = deps
  }

  /** Verifies a token. Refetches the keys once if none matches, since the key may be new. */
  async verify(token: string, issuer: string, rules: IssuedRules): Promise<JWTPayload> {
    try {
      return await this.#verifyWith(await this.#load(issuer, KEYS_MS), token, rules)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const newer = await this.#load(issuer, this.#deps.unknownKeyMs)
      return this.#verifyWith(newer, token, rules)
    }
  }

  async #verifyWith({ name, keyOf }: KnownKeys, token: string, rules: IssuedRules) {
    try {
      return await verifyJwt(token, keyOf, { ...rules, issuer: name, nowMs: this.#deps.now() })
    } catch (error) {
      if (error instanceof errors.JOSEError) throw error
      // All other errors mean that the key is too short or empty.
      this.#deps.onError(error)
      throw new IssuerError(name, 'its key cannot be used')
    }
  }

  #load(issuer: string, ageMsMax: number): Promise<KnownKeys> {
    const { now, failureMs, onError } = this.#deps
    const cached = this.#known.get(issuer)
    const keptMs = cached?.hasFailed === true ? failureMs : ageMsMax
    if (cached !== undefined && now() - cached.readAt < keptMs) return cached.keys
    const reading: Reading = {
      keys: this.#read(issuer).catch((error: unknown) => {
        reading.hasFailed = true
        onError(error)
        throw error
      }),
      readAt: now(),
      hasFailed: false,
    }
    this.#known.set(issuer, reading)
    return reading.keys
  }

  async #read(issuer: string): Promise<KnownKeys> {
    const start = new URL(issuer)
    const place = `${start.href.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { issuer: name, jwks_uri: uri } = await this.#readJson(place)
    const address = typeof uri === 'string' ? URL.parse(uri) : null
    if (typeof name !== 'string' || address === null || !this.#isOf(issuer, name, address))
      throw new IssuerError(issuer, 'its configuration is not valid')
    const { keys } = await this.#readJson(address.href)
    if (!Array.isArray(keys)) throw new IssuerError(address.href, 'there are no keys')
    return {
      name,
      keyOf: createLocalJWKSet({ keys: keys.filter(mayVerify).map(stringPropertiesOf) }),
    }
  }

  #isOf(issuer: string, name: string, address: URL): boolean {
    const start = new URL(issuer)
    if (this.#deps.isExact) return name === issuer && address.origin === start.origin
    // Keys may be on a different host, as with Google, but never use a less secure protocol than
    // the issuer.
    const isSafe = address.protocol === 'https:' || address.protocol === start.protocol
    return URL.parse(name)?.href === start.href && isSafe
  }

  /** Fetches a URL and parses the response as JSON. Returns an empty object for `null`. */
  async #readJson(url: string): Promise<Readonly<Record<string, unknown>>> {
    const { allowPrivateHosts, bytesMax } = this.#deps
    const outcome = await fetchOutbound({
      url,
      allowPrivateHosts,
      headers: { accept: 'application/json' },
      limits: { totalMsMax: TOTAL_MS_MAX, bytesMax, redirectsMax: 0 },
    })
    if (outcome.kind === 'not-modified') throw new IssuerError(url, 'the response is empty')
    if (outcome.kind !== 'loaded') throw new IssuerError(url, printOutboundFailure(outcome, url))
    try {
      return JSON.parse(Buffer.from(outcome.bytes).toString('utf8')) ?? {}
    } catch {
      throw new IssuerError(url, 'the response is not JSON')
    }
  }
}

const mayVerify = (key: JWK | null) =>
  !Array.isArray(key?.key_ops) || key.key_ops.includes('verify')

/**
 * Returns only the string properties. A key needs no others, and a provider could send so many of
 * them that they fill the cache.
 */
const stringPropertiesOf = (key: object | null) =>
  Object.fromEntries(
    Object.entries(key ?? {}).filter(([, value]) => typeof value === 'string'),
  ) as JWK
