/** Who is signed in. A token is given once and its hash is kept, as with API keys. */
import type { SignedIn } from '../api-keys/caller.ts'
import { createToken, hashToken, isSessionToken, isWellFormedToken } from '../api-keys/token.ts'
import { addressPrefix } from '../audit/store.ts'
import type { Database } from '../database/database.ts'
import { createSessionStore, findSession } from './store.ts'

const LIFETIME_HOURS: Readonly<Record<SignedIn['kind'], number>> = {
  browser: 7 * 24,
  'command-line': 90 * 24,
}
const DEVICE_LENGTH_MAX = 200
const MINUTE_MS = 60_000

export type Sessions = {
  /** Signs somebody in and gives the token: the only time that anyone sees it. */
  readonly begin: (userId: string, device: Device) => Promise<string>
  readonly find: (token: string) => Promise<SignedIn | undefined>
  readonly end: (person: SignedIn) => Promise<void>
}

type Device = {
  readonly kind: SignedIn['kind']
  readonly userAgent: string
  readonly clientAddress: string | undefined
}

export function createSessions(database: Database, pepper: string): Sessions {
  return {
    async begin(userId, { kind, userAgent, clientAddress }) {
      const token = createToken('session')
      await createSessionStore(database, userId).insert({
        hash: hashToken(token, pepper),
        kind,
        device: deviceOf(userAgent).slice(0, DEVICE_LENGTH_MAX),
        addressPrefix: addressPrefix(clientAddress),
        lifetimeHours: LIFETIME_HOURS[kind],
      })
      return token
    },

    async find(token) {
      if (!isSessionToken(token) || !isWellFormedToken(token)) return undefined
      return findSession(database, hashToken(token, pepper))
    },

    end: async (person) => {
      await createSessionStore(database, person.userId).end(person.sessionId)
    },
  }
}

/** Has this person proved who they are within so many minutes? */
export function isRecent({ provedAtMs }: SignedIn, minutes: number, now: number): boolean {
  return now - provedAtMs < minutes * MINUTE_MS
}

const BROWSERS = [
  ['Edge', /Edg\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(?:e|ium)\//],
  ['Safari', /Safari\//],
] as const
const SYSTEMS = [
  ['Windows', /Windows/],
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux/],
] as const

/** Enough to know one's own sessions; the rest of what browsers say is not kept. */
function deviceOf(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  if (browser === undefined) return userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 40)
  return system === undefined ? browser : `${browser} on ${system}`
}
