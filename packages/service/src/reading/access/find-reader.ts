/** Who asks for something of a site: everybody, nobody in particular, or somebody who signed in. */
import type { IncomingMessage } from 'node:http'
import type { Reader } from '@octavo/model'
import { cookieIn } from '../../people/sign-in/cookies.ts'
import { isWellFormedToken } from '../../platform/secrets/token.ts'
import type { SitePointer } from '../hosting/site-directory.ts'
import type { AccessTokenReaders } from './access-token-readers.ts'
import type { ReaderSession, ReaderSessions } from './reader-sessions.ts'

export const READER_COOKIE = '__Host-octavo-reader'

export type SiteReader = Reader & {
  /** Everybody is let in; nobody is signed in; somebody is; or nobody can tell, because the database is away. */
  readonly kind: 'everybody' | 'stranger' | 'signed-in' | 'unknown'
  /** The same for readers with the same groups. */
  readonly key: string
  /** A program sent a token that does not work. */
  readonly isRefused?: boolean
}

export type Readers = {
  /** Without waiting; nothing if the database has to be asked. */
  readonly peek: (request: IncomingMessage, site: SitePointer) => SiteReader | undefined
  readonly find: (request: IncomingMessage, site: SitePointer) => Promise<SiteReader>
}

const NO_GROUPS: ReadonlySet<string> = new Set()
const EVERYBODY: SiteReader = {
  kind: 'everybody',
  key: 'everybody',
  isLetIn: true,
  groups: NO_GROUPS,
}
const STRANGER: SiteReader = {
  kind: 'stranger',
  key: 'stranger',
  isLetIn: false,
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

/** A session counts at the host that it was begun at, for the way that the site has now. */
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

/** A program is told that its token does not work; a browser with an old cookie is one without. */
const refused = ({ headers }: IncomingMessage) =>
  headers.authorization === undefined ? STRANGER : REFUSED

/** Somebody who is let in, with these groups. */
export const readerOfGroups = (groups: readonly string[]): SiteReader => ({
  kind: 'signed-in',
  key: JSON.stringify(groups.toSorted()),
  isLetIn: true,
  groups: new Set(groups),
})

/** The form in which a session keeps its host. */
export const hostOf = (host = '') => host.toLowerCase()

/** What a reader shows of themselves: a program its token, a browser its cookie. */
function tokenOf(request: IncomingMessage): string | undefined {
  const { cookie } = request.headers
  return bearerOf(request) ?? (cookie === undefined ? undefined : cookieIn(cookie, READER_COOKIE))
}

export function bearerOf({ headers }: IncomingMessage): string | undefined {
  const { authorization } = headers
  return authorization?.startsWith(BEARER) ? authorization.slice(BEARER.length) : undefined
}

const BEARER = 'Bearer '
