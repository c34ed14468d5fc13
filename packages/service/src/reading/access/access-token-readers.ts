/**
 * Agents of readers who have an account at the OpenID provider of the owner: at `/mcp`, and nowhere else,
 * they are let in with an access token of the provider that was made for this server (RFC 9728, RFC 9068).
 * The audience is what tells it from an ID token, and from tokens for other servers and sites.
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
import { inTime } from '../../platform/in-time.ts'
import type { SitePointer } from '../hosting/site-directory.ts'
import { MCP_PATH } from '../site-paths.ts'
import { bearerOf, readerOfGroups, type SiteReader } from './find-reader.ts'
import { protectedResource } from './protected-resource.ts'
import { readReaderGroups } from './reader-groups.ts'
import { type AccessSettings, createAccessStore } from './settings-store.ts'

export type AccessTokenReaders = {
  /** Nothing for a token that does not work here. Throws when the database does not answer. */
  readonly find: (request: IncomingMessage, pointer: SitePointer) => Promise<SiteReader | undefined>
}

type AccessTokenDeps = {
  readonly database: Database
  readonly rootOf: (digest: string) => Promise<Pick<ManifestRoot, 'basePath'>>
  /** Of the service: its scheme is that of all sites. */
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
/** Owners name these issuers, so keys of many projects are kept at once. */
const KEY_RULES = { isExact: false, bytesMax: 64_000, unknownKeyMs: 30_000, failureMs: 30_000 }
const ACCEPTED_MAX = 10_000
const ACCEPTED_MS = 60_000
const PROJECTS_MAX = 10_000
/** What an owner changed is known within a second, as it is of sessions. */
const SETTINGS_MS = 800
const LOOKUP_MS_MAX = 2_000

export function createAccessTokenReaders(deps: AccessTokenDeps): AccessTokenReaders {
  const { now } = deps
  const { protocol } = new URL(deps.url)
  const keys = new IssuerKeys({ ...deps, ...KEY_RULES })
  const accepted = new LRUCache<string, Accepted>({ max: ACCEPTED_MAX })
  const settingsOfProjects = new LRUCache<string, ReadSettings>({ max: PROJECTS_MAX })

  /** Tokens that anybody makes up cost the database no more than one query in that time. */
  function readSettings(pointer: SitePointer): Promise<AccessSettings> {
    const known = settingsOfProjects.get(pointer.projectId)
    if (known !== undefined && now() - known.askedAt < SETTINGS_MS) return known.found
    const store = createAccessStore(deps.database.forProject(pointer))
    const read = { found: inTime(store.read(), LOOKUP_MS_MAX), askedAt: now() }
    settingsOfProjects.set(pointer.projectId, read)
    return read.found
  }

  async function verify(
    token: string,
    resource: string,
    { oidc, endedAt = 0 }: AccessSettings,
  ): Promise<Accepted | undefined> {
    const { issuer, clientId, groupsClaim = '' } = oidc ?? {}
    // ID tokens are made for the client: where that is called as the resource is, nothing tells them apart.
    if (issuer === undefined || clientId === resource) return undefined
    const payload = await keys.verify(token, issuer, { ...TOKEN_RULES, audience: resource })
    if (!isInTime(payload, now() / 1_000, endedAt)) return undefined
    const until = Math.min(now() + ACCEPTED_MS, (payload.exp ?? 0) * 1_000)
    return { reader: readerOfGroups(readReaderGroups(payload, groupsClaim)), until }
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
      // With all that decides, so that what an owner changes counts for tokens that were accepted.
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
        // Those of issuers are told once for each reading.
        const isTold = error instanceof errors.JOSEError || error instanceof IssuerError
        if (!isTold) deps.onError(error)
        return undefined
      }
    },
  }
}

/** Without tolerance for the end, and for the moment since which tokens count. */
function isInTime({ exp = 0, iat = 0 }: JWTPayload, nowSeconds: number, endedAt: number): boolean {
  return exp > nowSeconds && iat <= nowSeconds + CLOCK_SECONDS && iat >= endedAt
}
