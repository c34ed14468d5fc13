/** Routes for a signed-in person's passkeys and recovery codes. */

import {
  Passkey,
  PasskeyBody,
  PasskeyList,
  PasskeyOptions,
  RecoveryCodes,
  SavedCodesBody,
} from '@octavo/contract'
import { z } from 'zod'
import { addressPrefix } from '../../../platform/audit/store.ts'
import type { Database } from '../../../platform/database/database.ts'
import { defineRoute, type Route } from '../../../platform/http/route.ts'
import { ROW_ID } from '../../../platform/http/time-cursor.ts'
import { Problem } from '../../../platform/problem.ts'
import type { PepperRing } from '../../../platform/secrets/pepper-ring.ts'
import {
  RECENT_SIGN_IN_NEEDED,
  requireRecentSignIn,
  requireRecentSignInIfPossible,
} from '../../sessions/require-proof.ts'
import { Passkeys, passkeyProblemOf } from './passkeys.ts'
import { createRecoveryCodes, readRecoveryCode } from './recovery-codes.ts'
import { type PasskeyRow, PasskeyStore } from './store.ts'

const NONE = z.object({})
const REPLACED =
  'These codes were replaced, perhaps in another window. Show new codes and save them.'
const LIMIT_PER_PERSON = {
  tag: 'People',
  caller: { kind: 'person' },
  params: NONE,
  query: NONE,
  formats: ['application/json'],
} as const

export type PasskeyRouteDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  readonly url: string | undefined
  readonly now: () => number
}

/** `passkeys` throws if the service does not support passkeys. */
type WithPasskeys = Pick<PasskeyRouteDeps, 'now'> & { readonly passkeys: () => Passkeys }

export function passkeyRoutes(deps: PasskeyRouteDeps): readonly Route[] {
  const { url, now } = deps
  const own = url === undefined ? undefined : new Passkeys({ ...deps, url })

  function passkeys(): Passkeys {
    const problem = url && passkeyProblemOf(url)
    if (problem) throw new Problem('conflict', problem)
    if (own !== undefined) return own
    throw new Problem('conflict', 'This service has no dashboard: OCTAVO_URL is not set.')
  }

  return [
    listPasskeys(deps),
    beginPasskey({ now, passkeys }),
    addPasskey({ now, passkeys }),
    deletePasskey(deps),
    createCodes(deps),
    confirmCodes(deps),
  ]
}

const listPasskeys = ({ database }: PasskeyRouteDeps) =>
  defineRoute({
    ...LIMIT_PER_PERSON,
    method: 'GET',
    path: '/v1/me/passkeys',
    summary: 'List my passkeys',
    description: 'Your passkeys, and how many recovery codes are left.',
    reply: PasskeyList,
    async handle({ caller: { person } }) {
      const store = new PasskeyStore(database, person.userId)
      return {
        passkeys: (await store.list()).map(printPasskey),
        recoveryCodesLeft: await store.countRecoveryCodes(),
      }
    },
  })

const beginPasskey = ({ now, passkeys }: WithPasskeys) =>
  defineRoute({
    ...LIMIT_PER_PERSON,
    method: 'POST',
    path: '/v1/me/passkeys/options',
    summary: 'Start adding a passkey',
    description: `Returns the options for the browser. They are valid for 5 minutes, once, in the same session. ${RECENT_SIGN_IN_NEEDED}`,
    reply: PasskeyOptions,
    problems: ['conflict'],
    async handle({ caller: { person } }) {
      requireRecentSignInIfPossible(person, now())
      return { ...(await passkeys().registrationOptions(person)) }
    },
  })

const addPasskey = ({ now, passkeys }: WithPasskeys) =>
  defineRoute({
    ...LIMIT_PER_PERSON,
    method: 'POST',
    path: '/v1/me/passkeys',
    summary: 'Add a passkey',
    description: 'Adds the credential that the browser created from the options.',
    body: PasskeyBody,
    reply: Passkey,
    status: 201,
    problems: ['conflict'],
    async handle({ caller: { person }, body, clientAddress }) {
      requireRecentSignInIfPossible(person, now())
      return printPasskey(await passkeys().register(person, body, addressPrefix(clientAddress)))
    },
  })

const deletePasskey = ({ database, now }: PasskeyRouteDeps) =>
  defineRoute({
    ...LIMIT_PER_PERSON,
    method: 'DELETE',
    path: '/v1/me/passkeys/:passkeyId',
    summary: 'Delete a passkey',
    description: 'The passkey stops working immediately.',
    params: z.object({
      passkeyId: z
        .string()
        .regex(ROW_ID, { error: 'The passkey does not exist.' })
        .meta({ description: 'Id of the passkey.' }),
    }),
    async handle({ caller: { person }, params, clientAddress }) {
      requireRecentSignIn(person, now())
      const store = new PasskeyStore(database, person.userId)
      if (await store.remove(params.passkeyId, addressPrefix(clientAddress))) return undefined
      throw new Problem('not-found', 'The passkey does not exist.')
    },
  })

const createCodes = ({ database, pepper, now }: PasskeyRouteDeps) =>
  defineRoute({
    ...LIMIT_PER_PERSON,
    method: 'POST',
    path: '/v1/me/recovery-codes',
    summary: 'Create recovery codes',
    description:
      'Creates ten codes that sign you in without a passkey. Each code works once. Your previous codes stop working.',
    reply: RecoveryCodes,
    status: 201,
    async handle({ caller: { person }, clientAddress }) {
      requireRecentSignInIfPossible(person, now())
      const codes = createRecoveryCodes()
      const hashes = codes.map((code) => pepper.hash('recovery code', readRecoveryCode(code)))
      const store = new PasskeyStore(database, person.userId)
      const network = addressPrefix(clientAddress)
      const made = { hashes, pepperId: pepper.id, isVerified: person.isVerified, network }
      if (!(await store.replaceRecoveryCodes(made)))
        throw new Problem('unauthorized', 'You are signed out. Sign in again.')
      return { codes: [...codes] }
    },
  })

const confirmCodes = ({ database, pepper }: PasskeyRouteDeps) =>
  defineRoute({
    ...LIMIT_PER_PERSON,
    method: 'POST',
    path: '/v1/me/recovery-codes/saved',
    summary: 'Confirm that recovery codes are saved',
    description:
      'Confirms that you have saved the latest codes. From then on they count as a way to sign in again.',
    body: SavedCodesBody,
    problems: ['conflict'],
    async handle({ caller: { person }, body }) {
      const hashes = pepper.hashes('recovery code', readRecoveryCode(body.code))
      if (await new PasskeyStore(database, person.userId).markCodesSaved(hashes)) return undefined
      throw new Problem('conflict', REPLACED)
    },
  })

function printPasskey(row: PasskeyRow) {
  return {
    id: row.id,
    name: row.name,
    synced: row.is_synced,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}
