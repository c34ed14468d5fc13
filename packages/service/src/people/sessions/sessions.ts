/**
 * Sessions of signed-in people. A token is returned once and only its hash is stored, as with API
 * keys.
 */

import { addressPrefix } from '../../platform/audit/store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createToken, isSessionToken, isWellFormedToken } from '../../platform/secrets/token.ts'
import { NO_SIGN_IN, type SignInSettings } from '../sign-in-settings.ts'
import { createSessionStore, type FoundSession, findSession } from './store.ts'

const LIFETIME_HOURS: Readonly<Record<SignedIn['kind'], number>> = {
  browser: 7 * 24,
  'command-line': 90 * 24,
}
const DEVICE_LENGTH_MAX = 200
const MINUTE_MS = 60_000

export type Sessions = {
  /**
   * Signs a person in and returns the token, which is not stored. Returns undefined if the e-mail
   * address was verified after the person was found, because that revokes the credential that they
   * used.
   */
  readonly begin: (person: FoundPerson, device: Device) => Promise<string | undefined>
  readonly find: (token: string) => Promise<SignedIn | undefined>
  readonly end: (person: SignedIn) => Promise<void>
}

/** A person, and whether their e-mail address was verified when a sign-in found them. */
export type FoundPerson = { readonly userId: string; readonly isVerified: boolean }

/** How a person signed in, for the audit log. */
export type SignInMethod =
  | 'passkey'
  | 'recovery-code'
  | 'email'
  | 'login-link'
  | 'invitation'
  | 'setup-link'
  | 'command-line'
  | `provider ${string}`

type Device = {
  readonly method: SignInMethod
  readonly kind: SignedIn['kind']
  readonly userAgent: string
  readonly clientAddress: string | undefined
}

export function createSessions(
  database: Database,
  pepper: PepperRing,
  signIn: SignInSettings = NO_SIGN_IN,
): Sessions {
  return {
    async begin({ userId, isVerified }, { method, kind, userAgent, clientAddress }) {
      const token = createToken('session')
      const isAdded = await createSessionStore(database, userId).insert({
        hash: pepper.hash('user session', token),
        pepperId: pepper.id,
        isVerified,
        method,
        kind,
        device: deviceOf(userAgent).slice(0, DEVICE_LENGTH_MAX),
        addressPrefix: addressPrefix(clientAddress),
        lifetimeHours: LIFETIME_HOURS[kind],
      })
      return isAdded ? token : undefined
    },

    async find(token) {
      if (!isSessionToken(token) || !isWellFormedToken(token)) return undefined
      const hashes = pepper.hashes('user session', token)
      const found = await findSession(database, hashes, pepper.id)
      return found && signedInOf(found, signIn)
    },

    end: async (person) => {
      await createSessionStore(database, person.userId).end(person.sessionId)
    },
  }
}

/**
 * Adds whether the person can sign in again. Only sign-in methods that the operator allows count.
 */
function signedInOf(
  { isMadeByLink, hasIdentity, hasPasskeyOrCodes, ...person }: FoundSession,
  { isOidcOnly, mail }: SignInSettings,
): SignedIn {
  const hasOther = !isOidcOnly && (hasPasskeyOrCodes || mail !== undefined)
  const canSignInAgain = hasIdentity || hasOther
  return { ...person, canSignInAgain, mustKeepAccess: isMadeByLink && !canSignInAgain }
}

/** Returns true if the person signed in within the given minutes. */
export function isRecent({ authenticatedAtMs }: SignedIn, minutes: number, now: number): boolean {
  return now - authenticatedAtMs < minutes * MINUTE_MS
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

/**
 * Returns a short name such as `Firefox on Linux`, by which people recognize their sessions. The
 * rest of the user agent is not stored.
 */
export function deviceOf(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  if (browser === undefined) return userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 40)
  return system === undefined ? browser : `${browser} on ${system}`
}
