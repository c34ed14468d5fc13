/** Passkeys and recovery codes of somebody who is signed in. */

import {
  Passkey,
  PasskeyBody,
  PasskeyList,
  PasskeyOptions,
  RecoveryCodes,
  SavedCodesBody,
} from '@octavo/contract'
import { z } from 'zod'
import type { Database } from '../../../platform/database/database.ts'
import { defineRoute, type Route } from '../../../platform/http/route.ts'
import { ROW_ID } from '../../../platform/http/time-cursor.ts'
import { Problem } from '../../../platform/problem.ts'
import type { PepperRing } from '../../../platform/secrets/pepper-ring.ts'
import {
  PROOF_NEEDED,
  requireProof,
  requireProofOrNoWayBack,
} from '../../sessions/require-proof.ts'
import { createPasskeys, passkeyProblemOf } from './passkeys.ts'
import { createRecoveryCodes, readRecoveryCode } from './recovery-codes.ts'
import { createPasskeyStore, type PasskeyRow } from './store.ts'

const NONE = z.object({})
const JSON_ONLY = ['application/json']
const REPLACED =
  'These codes were replaced, in another window perhaps. Show new ones and save those.'
const PERSON = { kind: 'person' } as const

export type PasskeyRouteDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  readonly url: string | undefined
  readonly now: () => number
}

export function passkeyRoutes(deps: PasskeyRouteDeps): readonly Route[] {
  const { database, pepper, url, now } = deps
  const passkeys = url === undefined ? undefined : createPasskeys({ ...deps, url })

  function requirePasskeys() {
    const problem = url && passkeyProblemOf(url)
    if (problem) throw new Problem('conflict', problem)
    if (passkeys !== undefined) return passkeys
    throw new Problem('conflict', 'This service has no dashboard: OCTAVO_URL is not set.')
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/v1/me/passkeys',
      tag: 'People',
      summary: 'List my passkeys',
      description: 'Your passkeys, and how many recovery codes are left.',
      caller: PERSON,
      params: NONE,
      query: NONE,
      reply: PasskeyList,
      formats: JSON_ONLY,
      async handle({ caller: { person } }) {
        const store = createPasskeyStore(database, person.userId)
        return {
          passkeys: (await store.list()).map(printPasskey),
          recoveryCodesLeft: await store.countRecoveryCodes(),
        }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/me/passkeys/options',
      tag: 'People',
      summary: 'Begin to add a passkey',
      description: `Gives the options for the browser. They work once, in the same session, for 5 minutes. ${PROOF_NEEDED}`,
      caller: PERSON,
      params: NONE,
      query: NONE,
      reply: PasskeyOptions,
      problems: ['conflict'],
      formats: JSON_ONLY,
      async handle({ caller: { person } }) {
        requireProofOrNoWayBack(person, now())
        return { ...(await requirePasskeys().registrationOptions(person)) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/me/passkeys',
      tag: 'People',
      summary: 'Add a passkey',
      description: 'Takes what the browser made of the options.',
      caller: PERSON,
      params: NONE,
      query: NONE,
      body: PasskeyBody,
      reply: Passkey,
      status: 201,
      problems: ['conflict'],
      formats: JSON_ONLY,
      async handle({ caller: { person }, body }) {
        requireProofOrNoWayBack(person, now())
        return printPasskey(await requirePasskeys().register(person, body))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/me/passkeys/:passkeyId',
      tag: 'People',
      summary: 'Delete a passkey',
      description: 'It stops working at once.',
      caller: PERSON,
      params: z.object({
        passkeyId: z
          .string()
          .regex(ROW_ID, { error: 'The passkey does not exist.' })
          .meta({ description: 'Id of the passkey.' }),
      }),
      query: NONE,
      formats: JSON_ONLY,
      async handle({ caller: { person }, params }) {
        requireProof(person, now())
        if (await createPasskeyStore(database, person.userId).remove(params.passkeyId))
          return undefined
        throw new Problem('not-found', 'The passkey does not exist.')
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/me/recovery-codes',
      tag: 'People',
      summary: 'Create recovery codes',
      description:
        'Ten codes that sign you in without a passkey, each once. Those that you had before stop working.',
      caller: PERSON,
      params: NONE,
      query: NONE,
      reply: RecoveryCodes,
      status: 201,
      formats: JSON_ONLY,
      async handle({ caller: { person } }) {
        requireProofOrNoWayBack(person, now())
        const codes = createRecoveryCodes()
        const hashes = codes.map((code) => pepper.hash('recovery code', readRecoveryCode(code)))
        const store = createPasskeyStore(database, person.userId)
        const made = { hashes, pepperId: pepper.id, isVerified: person.isVerified }
        if (!(await store.replaceRecoveryCodes(made)))
          throw new Problem('unauthorized', 'You are signed out. Sign in again.')
        return { codes: [...codes] }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/me/recovery-codes/saved',
      tag: 'People',
      summary: 'Confirm that recovery codes are saved',
      description:
        'Says that you have saved the codes that were created last. From then on they count as a way to sign in again.',
      caller: PERSON,
      params: NONE,
      query: NONE,
      body: SavedCodesBody,
      problems: ['conflict'],
      formats: JSON_ONLY,
      async handle({ caller: { person }, body }) {
        const hashes = pepper.hashes('recovery code', readRecoveryCode(body.code))
        if (await createPasskeyStore(database, person.userId).noteSaved(hashes)) return undefined
        throw new Problem('conflict', REPLACED)
      },
    }),
  ]
}

function printPasskey(row: PasskeyRow) {
  return {
    id: row.id,
    name: row.name,
    synced: row.is_synced,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}
