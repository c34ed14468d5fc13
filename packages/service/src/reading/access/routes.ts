/** API routes for site access and for the reader tokens of programs. */

import {
  AccessBody,
  AccessReply,
  CreatedReaderToken,
  ReaderTokenBody,
  ReaderTokenList,
} from '@octavo/contract'
import { z } from 'zod'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import { createPublicId } from '../../platform/public-id.ts'
import type { SecretKey } from '../../platform/secrets/key-ring.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { changeAccess, showAccess } from './change-access.ts'
import { createAccessStore } from './settings-store.ts'
import { createReaderTokenStore, READER_TOKENS_MAX, type ReaderTokenRow } from './token-store.ts'

const TAG = 'Access'
const PATH = '/v1/projects/:projectId/access'
const CALLER = { kind: 'adminKey', scope: 'project:write' } as const
/** The limit is low because hashing a new password takes 60 ms of CPU time. */
const CHANGES = { action: 'access', perHour: 120 }
const TOKENS = { action: 'reader tokens', perHour: 240 }

const TokenParams = ProjectParams.extend({
  readerTokenId: z
    .string()
    .regex(/^rtk_[\da-z]{16}$/, { error: 'This token does not exist.' })
    .meta({ description: 'The id of a token.', examples: ['rtk_5kbu4k41mpelzrqs'] }),
})

export type AccessRouteDeps = {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
  readonly pepper: PepperRing
  readonly secretKeys: readonly SecretKey[]
}

export function accessRoutes(deps: AccessRouteDeps): readonly Route[] {
  return [
    readAccess(deps),
    putAccess(deps),
    endSessions(deps),
    listTokens(deps),
    createReaderToken(deps),
    deleteToken(deps),
    deleteTokens(deps),
  ]
}

const readAccess = ({ databaseOf, secretKeys }: AccessRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'Get access',
    description:
      'How readers of the site sign in. The password and the client secret are never shown.',
    caller: CALLER,
    params: ProjectParams,
    reply: AccessReply,
    handle: ({ caller }) => showAccess({ database: databaseOf(caller.tenant), secretKeys }),
  })

const putAccess = ({ databaseOf, secretKeys }: AccessRouteDeps) =>
  defineRoute({
    method: 'PUT',
    path: PATH,
    tag: TAG,
    summary: 'Change access',
    description:
      'Changes the given settings and keeps the others. A mode is rejected with 422 until all its settings are complete; `errors` lists the missing ones. A new mode, password, key or issuer signs out all readers; reader tokens keep working. `docs.json`, previews and rollbacks never change the mode.',
    caller: CALLER,
    params: ProjectParams,
    body: AccessBody,
    reply: AccessReply,
    problems: ['conflict', 'unprocessable'],
    limit: CHANGES,
    async handle({ caller, body, clientAddress }) {
      const access = { database: databaseOf(caller.tenant), secretKeys }
      await changeAccess(access, body, requesterOf({ caller, clientAddress }))
      return showAccess(access)
    },
  })

const endSessions = ({ databaseOf }: AccessRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/end-sessions`,
    tag: TAG,
    summary: 'End all sessions',
    description: 'Signs all readers out within a second. Reader tokens keep working.',
    caller: CALLER,
    params: ProjectParams,
    worksArchived: true,
    async handle({ caller, clientAddress }) {
      const database = databaseOf(caller.tenant)
      await database.transaction(async (query) => {
        await createAccessStore(database).endSessions(query)
        const requester = requesterOf({ caller, clientAddress })
        await insertAudit(query, { ...requester, action: 'access.end-sessions' })
      })
      return undefined
    },
  })

const listTokens = ({ databaseOf }: AccessRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/tokens`,
    tag: TAG,
    summary: 'List reader tokens',
    description:
      'Tokens that programs use to read the site: first the active tokens, then tokens that were valid for a day or longer and expired in the last 30 days.',
    caller: CALLER,
    params: ProjectParams,
    reply: ReaderTokenList,
    async handle({ caller }) {
      const rows = await createReaderTokenStore(databaseOf(caller.tenant)).list()
      return { tokens: rows.map(showToken) }
    },
  })

const createReaderToken = ({ databaseOf, pepper }: AccessRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/tokens`,
    tag: TAG,
    summary: 'Create a reader token',
    description:
      'Creates a token with which a program can read the site and its previews, on all of their hosts. The response is the only place where the token is shown.',
    caller: CALLER,
    params: ProjectParams,
    body: ReaderTokenBody,
    reply: CreatedReaderToken,
    status: 201,
    problems: ['conflict'],
    limit: TOKENS,
    async handle({ caller, body: { name, groups, minutes }, clientAddress }) {
      const database = databaseOf(caller.tenant)
      const token = createToken('reader')
      const id = createPublicId('rtk')
      const row = await database.transaction(async (query) => {
        const added = await createReaderTokenStore(database).add(query, {
          id,
          name,
          groups: [...new Set(groups)],
          hash: pepper.hash('reader session', token),
          pepperId: pepper.id,
          minutes,
          actor: requesterOf({ caller, clientAddress }).actor,
        })
        if (added !== undefined)
          await insertAudit(query, {
            ...requesterOf({ caller, clientAddress }),
            action: 'access.token-create',
            object: id,
            after: { name, groups: added.groups, expiresAt: added.expiresAt },
          })
        return added
      })
      if (row === undefined)
        throw new Problem(
          'conflict',
          `A project can have ${READER_TOKENS_MAX} reader tokens at a time. Delete one first.`,
        )
      return { ...showToken(row), token }
    },
  })

const deleteToken = ({ databaseOf }: AccessRouteDeps) =>
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/tokens/:readerTokenId`,
    tag: TAG,
    summary: 'Delete a reader token',
    description: 'The token stops working within a second.',
    caller: CALLER,
    params: TokenParams,
    async handle({ caller, params, clientAddress }) {
      const database = databaseOf(caller.tenant)
      const { readerTokenId: object } = params
      await database.transaction(async (query) => {
        const name = await createReaderTokenStore(database).remove(query, object)
        if (name === undefined) throw new Problem('not-found', 'This token does not exist.')
        const requester = requesterOf({ caller, clientAddress })
        await insertAudit(query, { ...requester, action: 'access.token-delete', object })
      })
      return undefined
    },
  })

const deleteTokens = ({ databaseOf }: AccessRouteDeps) =>
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/tokens`,
    tag: TAG,
    summary: 'Delete all reader tokens',
    description: 'All tokens of the site stop working within a second.',
    caller: CALLER,
    params: ProjectParams,
    worksArchived: true,
    async handle({ caller, clientAddress }) {
      const database = databaseOf(caller.tenant)
      await database.transaction(async (query) => {
        const tokens = await createReaderTokenStore(database).removeAll(query)
        const requester = requesterOf({ caller, clientAddress })
        await insertAudit(query, {
          ...requester,
          action: 'access.tokens-delete',
          after: { tokens },
        })
      })
      return undefined
    },
  })

const showToken = ({ createdAt, expiresAt, lastUsedAt, groups, ...row }: ReaderTokenRow) => ({
  ...row,
  groups: [...groups],
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})
