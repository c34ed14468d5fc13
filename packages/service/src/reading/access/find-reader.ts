/** Determines the reader of a request, from the bearer token or the session cookie. */
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
   * `public`: the site is public. `anonymous`: the reader is not signed in. `undetermined`: the
   * reader is unknown because the database is unavailable.
   */
  readonly kind: 'public' | 'anonymous' | 'signed-in' | 'undetermined'
  /** A key that all readers with the same groups share. */
  readonly key: string
  /** Whether a program sent an invalid token. */
  readonly isRefused?: boolean
}

export type Readers = {
  /** Returns the reader from memory; undefined if a database query is required. */
  readonly peek: (request: IncomingMessage, site: SitePointer) => SiteReader | undefined
  readonly find: (request: IncomingMessage, site: SitePointer) => Promise<SiteReader>
}

const NO_GROUPS: ReadonlySet<string> = new Set()
const PUBLIC: SiteReader = {
  kind: 'public',
  key: 'public',
  hasSiteAccess: true,
  groups: NO_GROUPS,
}
const ANONYMOUS: SiteReader = {
  kind: 'anonymous',
  key: 'anonymous',
  hasSiteAccess: false,
  groups: NO_GROUPS,
}
const REFUSED: SiteReader = { ...ANONYMOUS, isRefused: true }
const UNDETERMINED: SiteReader = { ...ANONYMOUS, kind: 'undetermined' }

export function createReaders(
  sessions: ReaderSessions,
  accessTokens: AccessTokenReaders,
  onError: (error: unknown) => void,
): Readers {
  return {
    peek(request, site) {
      if (site.protection === 'public') return PUBLIC
      const token = tokenOf(request)
      if (token === undefined) return ANONYMOUS
      if (!isWellFormedToken(token)) return refused(request)
      const session = sessions.peek(token)
      return session && readerOf(session, request, site)
    },
    async find(request, site) {
      if (site.protection === 'public') return PUBLIC
      const token = tokenOf(request)
      if (token === undefined) return ANONYMOUS
      try {
        if (!isWellFormedToken(token))
          return (await accessTokens.find(request, site)) ?? refused(request)
        return readerOf(await sessions.find(token), request, site)
      } catch (error) {
        onError(error)
        return UNDETERMINED
      }
    },
  }
}

/**
 * Returns the reader of a session. The session is only valid at the host where it started, and only
 * while the site uses the same sign-in method.
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
 * Marks a program with an invalid token as refused. A browser with an old cookie is treated as
 * anonymous.
 */
const refused = ({ headers }: IncomingMessage) =>
  headers.authorization === undefined ? ANONYMOUS : REFUSED

/** Returns a signed-in reader with these groups. */
export const signedInReader = (groups: readonly string[]): SiteReader => ({
  kind: 'signed-in',
  key: JSON.stringify(groups.toSorted()),
  hasSiteAccess: true,
  groups: new Set(groups),
})

/** Returns the host in the form in which sessions store it. */
export const hostOf = (host = '') => host.toLowerCase()

/** Returns the bearer token of a program, or the session cookie of a browser. */
function tokenOf(request: IncomingMessage): string | undefined {
  const { cookie } = request.headers
  return bearerOf(request) ?? (cookie === undefined ? undefined : cookieIn(cookie, READER_COOKIE))
}

export function bearerOf({ headers }: IncomingMessage): string | undefined {
  const { authorization } = headers
  return authorization?.startsWith(BEARER) ? authorization.slice(BEARER.length) : undefined
}

const BEARER = 'Bearer '
