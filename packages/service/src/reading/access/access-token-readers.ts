/**
 * Authenticates agents whose user has an account at the owner's OpenID provider. They send an
 * access token that the provider issued for the site's MCP server (RFC 9728, RFC 9068), which is
 * only accepted at `/mcp`. Its audience distinguishes it from ID tokens and from tokens for other
 * servers and sites.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ManifestRoot } from '@octavo/model'
import { errors, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { IssuerError, IssuerKeys } from '../../people/identity/issuer-keys.ts'
import { SIGNATURE_ALGORITHMS } from '../../people/identity/verify-jwt.ts'
import type { Database } from '../../platform/database/database.ts'
import { splitQuery } from '../../platform/http/reader-request.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import type { SitePointer } from '../hosting/site-directory.ts'
import { MCP_PATH } from '../site-paths.ts'
import { bearerOf, type SiteReader, signedInReader } from './find-reader.ts'
import { protectedResource } from './protected-resource.ts'
import { readReaderGroups } from './reader-groups.ts'
import { type AccessSettings, createAccessStore } from './settings-store.ts'

export type AccessTokenReaders = {
  /**
   * Returns undefined if the token is not valid for this site. Throws if the database is
   * unavailable.
   */
  readonly find: (request: IncomingMessage, pointer: SitePointer) => Promise<SiteReader | undefined>
}

type AccessTokenDeps = {
  readonly database: Database
  readonly rootOf: (digest: string) => Promise<Pick<ManifestRoot, 'basePath'>>
  /** The URL of the service. All sites use the same scheme. */
  readonly url: string
  readonly allowPrivateHosts: readonly string[]
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

type Accepted = { readonly reader: SiteReader; readonly until: number }
type ReadSettings = { readonly found: Promise<AccessSettings>; readonly askedAt: number }

const TOKEN_LENGTH_MAX = 8_192
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/
const CLOCK_SECONDS = 30
const TOKEN_RULES = {
  algorithms: SIGNATURE_ALGORITHMS,
  types: ['at+jwt', 'jwt'],
  requiredClaims: ['exp', 'iat', 'sub'],
  clockTolerance: CLOCK_SECONDS,
}
/**
 * The size of a key set is limited, because the key sets of many projects are cached together, and
 * owners choose the issuers.
 */
const KEY_RULES = { isExact: false, bytesMax: 64_000, unknownKeyMs: 30_000, failureMs: 30_000 }
const ACCEPTED_MAX = 10_000
const ACCEPTED_MS = 60_000
const PROJECTS_MAX = 10_000
/** A change by the owner takes effect within a second, as for sessions. */
const SETTINGS_MS = 800
const LOOKUP_MS_MAX = 2_000

export function createAccessTokenReaders(deps: AccessTokenDeps): AccessTokenReaders {
  const { now } = deps
  const { protocol } = new URL(deps.url)
  const keys = new IssuerKeys({ ...deps, ...KEY_RULES })
  const accepted = new LRUCache<string, Accepted>({ max: ACCEPTED_MAX })
  const settingsOfProjects = new LRUCache<string, ReadSettings>({ max: PROJECTS_MAX })

  /**
   * Caches the settings for a short time, so that forged tokens cause at most one query per
   * project.
   */
  function readSettings(pointer: SitePointer): Promise<AccessSettings> {
    const known = settingsOfProjects.get(pointer.projectId)
    if (known !== undefined && now() - known.askedAt < SETTINGS_MS) return known.found
    const store = createAccessStore(deps.database.forProject(pointer))
    const read = { found: withTimeout(store.read(), LOOKUP_MS_MAX), askedAt: now() }
    settingsOfProjects.set(pointer.projectId, read)
    return read.found
  }

  async function verify(
    token: string,
    resource: string,
    { oidc, endedAt = 0 }: AccessSettings,
  ): Promise<Accepted | undefined> {
    const { issuer, clientId, groupsClaim = '' } = oidc ?? {}
    // If the client's id equals the resource, its ID tokens cannot be distinguished from access
    // tokens.
    if (issuer === undefined || clientId === resource) return undefined
    const payload = await keys.verify(token, issuer, { ...TOKEN_RULES, audience: resource })
    if (!isWithinValidity(payload, now() / 1_000, endedAt)) return undefined
    const until = Math.min(now() + ACCEPTED_MS, (payload.exp ?? 0) * 1_000)
    return { reader: signedInReader(readReaderGroups(payload, groupsClaim)), until }
  }

  return {
    async find(request, pointer) {
      const token = bearerOf(request)
      if (pointer.protection !== 'oidc' || token === undefined) return undefined
      if (token.length > TOKEN_LENGTH_MAX || !COMPACT.test(token)) return undefined
      const basePath = (await deps.rootOf(pointer.root)).basePath.replace(/\/+$/, '')
      if (splitQuery(request.url ?? '/')[0] !== basePath + MCP_PATH) return undefined
      const settings = await readSettings(pointer)
      if (settings.mode !== 'oidc') return undefined
      const { resource } = protectedResource(`${protocol}//${request.headers.host}`, basePath)
      // The key contains everything that affects the result, so that a change by the owner also
      // applies to cached tokens.
      const { epoch, endedAt, oidc } = settings
      const digest = createHash('sha256').update(token).digest('hex')
      const key = JSON.stringify([digest, pointer.projectId, resource, epoch, endedAt, oidc])
      const known = accepted.get(key)
      if (known !== undefined && known.until > now()) return known.reader
      try {
        const found = await verify(token, resource, settings)
        if (found !== undefined) accepted.set(key, found)
        return found?.reader
      } catch (error) {
        // Issuer errors are already reported, once per request to the issuer.
        const isReported = error instanceof errors.JOSEError || error instanceof IssuerError
        if (!isReported) deps.onError(error)
        return undefined
      }
    },
  }
}

/** Checks the validity period. Expiry and `endedAt` are compared without clock tolerance. */
function isWithinValidity(
  { exp = 0, iat = 0 }: JWTPayload,
  nowSeconds: number,
  endedAt: number,
): boolean {
  return exp > nowSeconds && iat <= nowSeconds + CLOCK_SECONDS && iat >= endedAt
}
