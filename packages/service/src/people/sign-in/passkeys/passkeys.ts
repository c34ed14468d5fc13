/**
 * Passkeys: keys that the browser or a device keeps for this host, and uses after a fingerprint,
 * face or PIN check. A challenge names its recipient, is signed by us and works once, so challenges
 * are not stored in advance.
 */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Database } from '../../../platform/database/database.ts'
import type { SignedIn } from '../../../platform/http/caller.ts'
import { Problem } from '../../../platform/problem.ts'
import type { PepperRing } from '../../../platform/secrets/pepper-ring.ts'
import { createSealer, type Sealer } from '../../identity/sealed-value.ts'
import { spendOnce } from '../../identity/spend-once.ts'
import type { FoundPerson } from '../../sessions/sessions.ts'
import { findPasskeyOwner, PASSKEYS_MAX, type PasskeyRow, PasskeyStore } from './store.ts'

export type PasskeyDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  /** The service's base URL. */
  readonly url: string
  readonly now: () => number
}

const CHALLENGE_SECONDS = 5 * 60
const NAME = 'Octavo'
/** The maximum length of an id in the WebAuthn specification. */
const ID_BYTES_MAX = 1_023
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const UNIQUE_VIOLATION = '23505'

/**
 * Returns why passkeys cannot work at a URL; undefined if they can. Browsers bind them to a host
 * name, not to an IP address.
 */
export function passkeyProblemOf(url: string): string | undefined {
  const host = new URL(url).hostname.replaceAll(/[[\]]/g, '')
  return isIP(host) === 0
    ? undefined
    : 'Passkeys need a host name, such as octavo.localhost. This service has an IP address instead.'
}

export class Passkeys {
  readonly #database: Database
  readonly #origin: string
  readonly #hostname: string
  readonly #registration: Sealer
  readonly #request: Sealer

  constructor({ database, pepper, url, now }: PasskeyDeps) {
    const { origin, hostname } = new URL(url)
    this.#database = database
    this.#origin = origin
    this.#hostname = hostname
    this.#registration = createSealer('passkey registration', { pepper, now })
    this.#request = createSealer('passkey request', { pepper, now })
  }

  async registrationOptions(person: SignedIn): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const existing = await new PasskeyStore(this.#database, person.userId).list()
    const { generateRegistrationOptions } = await loadLibrary()
    return generateRegistrationOptions({
      rpName: NAME,
      rpID: this.#hostname,
      userID: new TextEncoder().encode(person.id),
      userName: person.email,
      userDisplayName: person.name,
      challenge: new TextEncoder().encode(challengeFor(this.#registration, person.sessionId)),
      attestationType: 'none',
      excludeCredentials: existing.map((row) => ({
        id: row.credential_id.toString('base64url'),
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  async register(
    person: SignedIn,
    { name, credential }: { readonly name: string; readonly credential: unknown },
    network: string | undefined,
  ): Promise<PasskeyRow> {
    const store = new PasskeyStore(this.#database, person.userId)
    if ((await store.list()).length >= PASSKEYS_MAX)
      throw new Problem('conflict', `You have ${PASSKEYS_MAX} passkeys. Delete one first.`)
    const { verifyRegistrationResponse } = await loadLibrary()
    const verified = await verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      expectedChallenge: this.#isChallengeOf(this.#registration, person.sessionId),
      expectedOrigin: this.#origin,
      expectedRPID: this.#hostname,
      requireUserVerification: true,
    }).catch(() => undefined)
    if (verified?.registrationInfo === undefined) throw notAccepted()
    const { credential: made, credentialBackedUp } = verified.registrationInfo
    const credentialId = Buffer.from(made.id, 'base64url')
    if (credentialId.length > ID_BYTES_MAX) throw notAccepted()
    const inserted = await store
      .insert({
        credentialId,
        publicKey: Buffer.from(made.publicKey),
        counter: made.counter,
        transports: TRANSPORTS.filter((one) => [made.transports].flat().includes(one)),
        name,
        isSynced: credentialBackedUp,
        isVerified: person.isVerified,
        network,
      })
      .catch((error: unknown) => {
        // The database already has a passkey with this id.
        throw (error as { readonly code?: unknown }).code === UNIQUE_VIOLATION
          ? notAccepted()
          : error
      })
    if (inserted === undefined)
      throw new Problem('unauthorized', 'You are signed out. Sign in again.')
    return inserted
  }

  /** Returns options for a signed-out browser, which is identified by a token in a cookie. */
  async requestOptions(browser: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await loadLibrary()
    return generateAuthenticationOptions({
      rpID: this.#hostname,
      challenge: new TextEncoder().encode(challengeFor(this.#request, browser)),
      userVerification: 'required',
      allowCredentials: [],
    })
  }

  /** Returns the person of the passkey; `isRefused` is true if the proof is invalid. */
  async authenticate(
    browser: string,
    credential: unknown,
  ): Promise<(FoundPerson & { readonly isRefused: boolean }) | undefined> {
    const response = credential as AuthenticationResponseJSON
    if (typeof response?.id !== 'string') return undefined
    const credentialId = Buffer.from(response.id, 'base64url')
    const userId = await findPasskeyOwner(this.#database, credentialId)
    if (userId === undefined) return undefined
    const store = new PasskeyStore(this.#database, userId)
    const passkey = await store.find(credentialId)
    if (passkey === undefined || !isOwner(response, passkey.owner)) return undefined
    const { verifyAuthenticationResponse } = await loadLibrary()
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge: this.#isChallengeOf(this.#request, browser),
      expectedOrigin: this.#origin,
      expectedRPID: this.#hostname,
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    }).catch(() => undefined)
    const found = { userId, isVerified: passkey.is_verified }
    if (verified?.verified !== true) return { ...found, isRefused: true }
    await store.noteUse(passkey.id, verified.authenticationInfo.newCounter)
    return { ...found, isRefused: false }
  }

  /** Returns a function that accepts a challenge once if the service issued it for this holder. */
  #isChallengeOf(sealer: Sealer, holder: string) {
    return async (challenge: string) => {
      const text = Buffer.from(challenge, 'base64url').toString('utf8')
      const value = sealer.open(text) as { readonly holder?: unknown } | undefined
      if (value?.holder !== holder) return false
      return spendOnce(this.#database, `passkey ${text}`, CHALLENGE_SECONDS)
    }
  }
}

const challengeFor = (sealer: Sealer, holder: string) =>
  sealer.seal({ holder, random: randomBytes(16).toString('base64url') }, CHALLENGE_SECONDS)

/**
 * Loads the library only when it is needed: it would take a quarter of the startup time, and most
 * processes need it late or never.
 */
const loadLibrary = () => import('@simplewebauthn/server')

const notAccepted = () =>
  new Problem('invalid-request', 'The passkey was not accepted. Try again.', {
    param: 'credential',
  })

/** Returns false if the authenticator names a user other than the person who added the passkey. */
function isOwner({ response }: AuthenticationResponseJSON, owner: string): boolean {
  const handle = response?.userHandle ?? ''
  return handle === '' || handle === Buffer.from(owner).toString('base64url')
}
