/**
 * The public keys of issuers of tokens, which operators and owners name. Anybody can send a token that
 * names a key which is not known, or an issuer that is away: both are asked again only after a while.
 */
import { fetchOutbound, printOutboundFailure } from '@octavo/outbound'
import { createLocalJWKSet, errors, type JWK, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { type JwtRules, verifyJwt } from './verify-jwt.ts'

export type IssuerKeysDeps = {
  /** True if keys have to be at the origin of the issuer, and its name has to be written as ours is. */
  readonly isExact: boolean
  /** Of one response. */
  readonly bytesMax: number
  /** How old keys are before they are read again for a token whose key is not among them. */
  readonly unknownKeyMs: number
  /** How long an issuer that failed is not asked again. */
  readonly failureMs: number
  readonly allowPrivateHosts: readonly string[]
  /** Called once for each reading that failed, and for each key that cannot be used. */
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** The issuer is who was asked for the keys; without an audience, tokens for others would do. */
type IssuedRules = Omit<JwtRules, 'issuer' | 'nowMs'> & { readonly audience: string }

/** `name` is the issuer as it writes itself in tokens. */
type KnownKeys = { readonly name: string; readonly keyOf: ReturnType<typeof createLocalJWKSet> }

/** Tokens that arrive together wait for one reading. */
type Reading = { readonly keys: Promise<KnownKeys>; readonly readAt: number; hasFailed: boolean }

/** The issuer is at fault, not the token. */
export class IssuerError extends Error {
  constructor(url: string, reason: string) {
    super(`The keys of the issuer cannot be read from ${url}: ${reason}.`)
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

  /** Verifies a token, and once more if there was no key for it: it may be a new one. */
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
      // What is not about the token is about the key: too short, or none at all.
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
    return { name, keyOf: createLocalJWKSet({ keys: keys.filter(mayVerify).map(textsOf) }) }
  }

  #isOf(issuer: string, name: string, address: URL): boolean {
    const start = new URL(issuer)
    if (this.#deps.isExact) return name === issuer && address.origin === start.origin
    // Keys may be at another host, as those of Google are, but never less safe than the issuer.
    const isSafe = address.protocol === 'https:' || address.protocol === start.protocol
    return URL.parse(name)?.href === start.href && isSafe
  }

  /** An object without properties for JSON of another kind. */
  async #readJson(url: string): Promise<Readonly<Record<string, unknown>>> {
    const { allowPrivateHosts, bytesMax } = this.#deps
    const outcome = await fetchOutbound({
      url,
      allowPrivateHosts,
      headers: { accept: 'application/json' },
      limits: { totalMsMax: TOTAL_MS_MAX, bytesMax, redirectsMax: 0 },
    })
    if (outcome.kind === 'not-modified') throw new IssuerError(url, 'nothing was sent')
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

/** What a key needs. The rest would be kept for as long, and a provider can send much in few bytes. */
const textsOf = (key: object | null) =>
  Object.fromEntries(
    Object.entries(key ?? {}).filter(([, value]) => typeof value === 'string'),
  ) as JWK
