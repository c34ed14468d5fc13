/**
 * Determines the reader of a request: any reader of a public site, an anonymous reader, or a
 * signed-in reader.
 */
import type { IncomingMessage } from 'node:http'
import type { Reader } from '@octavo/model'
import { cookieIn } from '../../people/sign-in/cookies.ts'
import { isWellFormedToken } from '../../platform/secrets/token.ts'
import type { SitePointer } from '../hosting/site-directory.ts'
import type { AccessTokenReaders } from './access-token-readers.ts'
import type { ReaderSession, ReaderSessions } from './reader-sessions.ts'

export const READER_COOKIE = '__Host-octavo-reader'

export type SiteReader = Reader & {
  /**
   * `everybody`: the site is public; `stranger`: not signed in; `unknown`: the database is
   * unavailable.
   */
  readonly kind: 'everybody' | 'stranger' | 'signed-in' | 'unknown'
  /** Equal for readers with the same groups. */
  readonly key: string
  /** True if a program sent an invalid token. */
  readonly isRefused?: boolean
}

export type Readers = {
  /** Returns the reader without waiting; undefined if the database has to be queried. */
  readonly peek: (request: IncomingMessage, site: SitePointer) => SiteReader | undefined
  readonly find: (request: IncomingMessage, site: SitePointer) => Promise<SiteReader>
}

const NO_GROUPS: ReadonlySet<string> = new Set()
const EVERYBODY: SiteReader = {
  kind: 'everybody',
  key: 'everybody',
  hasSiteAccess: true,
  groups: NO_GROUPS,
}
const STRANGER: SiteReader = {
  kind: 'stranger',
  key: 'stranger',
  hasSiteAccess: false,
  groups: NO_GROUPS,
}
const REFUSED: SiteReader = { ...STRANGER, isRefused: true }
const UNKNOWN: SiteReader = { ...STRANGER, kind: 'unknown' }

export function createReaders(
  sessions: ReaderSessions,
  accessTokens: AccessTokenReaders,
  onError: (error: unknown) => void,
): Readers {
  return {
    peek(request, site) {
      if (site.protection === 'public') return EVERYBODY
      const token = tokenOf(request)
      if (token === undefined) return STRANGER
      if (!isWellFormedToken(token)) return refused(request)
      const session = sessions.peek(token)
      return session && readerOf(session, request, site)
    },
    async find(request, site) {
      if (site.protection === 'public') return EVERYBODY
      const token = tokenOf(request)
      if (token === undefined) return STRANGER
      try {
        if (!isWellFormedToken(token))
          return (await accessTokens.find(request, site)) ?? refused(request)
        return readerOf(await sessions.find(token), request, site)
      } catch (error) {
        onError(error)
        return UNKNOWN
      }
    },
  }
}

/**
 * A session is valid only at the host where it began, and only for the site's current sign-in
 * method.
 */
function readerOf(
  session: ReaderSession | 'none',
  request: IncomingMessage,
  { projectId, protection }: SitePointer,
): SiteReader {
  if (session === 'none' || session.projectId !== projectId) return refused(request)
  const { way, host } = session
  const isOfSite = way === 'token' || (way === protection && host === hostOf(request.headers.host))
  return isOfSite ? session.reader : refused(request)
}

/**
 * A program learns that its token is invalid; a browser with an old cookie is treated as anonymous.
 */
const refused = ({ headers }: IncomingMessage) =>
  headers.authorization === undefined ? STRANGER : REFUSED

/** Returns a signed-in reader with these groups. */
export const signedInReader = (groups: readonly string[]): SiteReader => ({
  kind: 'signed-in',
  key: JSON.stringify(groups.toSorted()),
  hasSiteAccess: true,
  groups: new Set(groups),
})

/** Returns a host in the form that sessions store. */
export const hostOf = (host = '') => host.toLowerCase()

/** Returns a program's bearer token or a browser's cookie. */
function tokenOf(request: IncomingMessage): string | undefined {
  const { cookie } = request.headers
  return bearerOf(request) ?? (cookie === undefined ? undefined : cookieIn(cookie, READER_COOKIE))
}

export function bearerOf({ headers }: IncomingMessage): string | undefined {
  const { authorization } = headers
  return authorization?.startsWith(BEARER) ? authorization.slice(BEARER.length) : undefined
}

const BEARER = 'Bearer '
