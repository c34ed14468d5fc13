/** Starts and ends the sessions of readers. */

import { setCookie } from '../../people/sign-in/cookies.ts'
import type { Database } from '../../platform/database/database.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { READER_COOKIE } from './find-reader.ts'
import {
  endedAttemptCookie,
  type ReaderExchange,
  type ReaderReply,
  readReaderCookie,
  refusal,
} from './reader-exchange.ts'
import type { ReaderSessions } from './reader-sessions.ts'
import { createReaderSessionStore, type NewReaderSession } from './session-store.ts'

export type SessionDeps = {
  readonly database: Database
  readonly sessions: Pick<ReaderSessions, 'forget'>
  readonly pepper: PepperRing
}

export type AdmittedReader = Pick<
  NewReaderSession,
  'way' | 'groups' | 'member' | 'seconds' | 'epoch'
> & {
  readonly to: string
}

/**
 * Starts a session, always with a new token: a token that an attacker planted in the browser
 * earlier is useless.
 */
export async function startSession(
  deps: SessionDeps,
  exchange: ReaderExchange,
  { to, ...admitted }: AdmittedReader,
): Promise<ReaderReply> {
  await endSession(deps, exchange)
  const token = createToken('reader')
  const store = createReaderSessionStore(deps.database.forProject(exchange.pointer))
  const hash = deps.pepper.hash('reader session', token)
  const session = { ...admitted, host: exchange.host, hash, pepperId: deps.pepper.id }
  if (!(await store.begin(session)))
    return refusal(exchange, 'Your address was verified a moment ago. Sign in again.')
  const cookies = [setCookie(READER_COOKIE, token, admitted.seconds), endedAttemptCookie()]
  return { kind: 'redirect', url: to, cookies }
}

/** Ends the browser's current session, if there is one. */
export async function endSession(
  { database, sessions, pepper }: SessionDeps,
  exchange: ReaderExchange,
): Promise<void> {
  const token = readReaderCookie(exchange, READER_COOKIE)
  if (token === undefined) return
  await createReaderSessionStore(database.forProject(exchange.pointer)).end(
    pepper.hashes('reader session', token),
  )
  sessions.forget(token)
}

export const endedReaderCookie = () => setCookie(READER_COOKIE, '', 0)
