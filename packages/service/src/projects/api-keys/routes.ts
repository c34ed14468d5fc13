import {
  type ApiKey,
  ApiKeyBody,
  ApiKeyList,
  CreatedApiKey,
  hasScope,
  KEY_SCOPES,
  RotateKeyBody,
  type Scope,
} from '@octavo/contract'
import { z } from 'zod'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ProjectParams, pageQuery } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { printTimeCursor, ROW_ID, timeCursorParam } from '../../platform/http/time-cursor.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { type CreatedKey, createApiKey, RepeatedKey, rotateApiKey } from './create-api-key.ts'
import { KeyStore, type ListedKey } from './store.ts'

const TAG = 'API keys'
const PATH = '/v1/projects/:projectId/keys'
const CALLER = { kind: 'adminKey', scope: 'keys:write' } as const
/** Limits the creation of keys, so that a leaked key cannot fill the table. */
const LIMIT = { action: 'keys', perHour: 120 }
const DEPLOY_SCOPES: readonly Scope[] = ['deploy:read', 'deploy:write']

const KeyParams = ProjectParams.extend({
  keyId: z
    .string()
    .regex(ROW_ID, { error: 'This key does not exist.' })
    .meta({ description: 'The id of a key.', examples: ['411828397103240961'] }),
})

export type KeyRouteDeps = {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
  readonly pepper: PepperRing
  readonly now: () => number
}

export const keyRoutes = (deps: KeyRouteDeps): readonly Route[] => [
  listKeys(deps),
  createKey(deps),
  rotateKey(deps),
  revokeKey(deps),
]

const listKeys = ({ databaseOf }: KeyRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'List keys',
    description:
      'The API keys of a project, newest first, including expired and revoked ones. Expired tokens of CI jobs are omitted. The keys themselves are never shown.',
    caller: CALLER,
    params: ProjectParams,
    query: z.object({ cursor: timeCursorParam, limit: pageQuery('Keys').limit }),
    reply: ApiKeyList,
    async handle({ caller, query }) {
      const limit = Math.max(1, query.limit)
      const store = new KeyStore(databaseOf(caller.tenant))
      const rows = await store.page(query.cursor, limit + 1)
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return {
        keys: shown.map(showKey),
        nextCursor: last ? printTimeCursor({ micros: last.created_micros, id: last.id }) : null,
      }
    },
  })

const createKey = ({ databaseOf, pepper, now }: KeyRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: PATH,
    tag: TAG,
    summary: 'Create a key',
    description:
      'Creates an API key with scopes that you have yourself. The response is the only place where the key is shown. If you send the request again with the same `Idempotency-Key`, no second key is created and the response is 409, since the first key cannot be shown again.',
    caller: CALLER,
    params: ProjectParams,
    body: ApiKeyBody,
    reply: CreatedApiKey,
    status: 201,
    problems: ['conflict'],
    limit: LIMIT,
    async handle({ caller, body, idempotencyKey, clientAddress }) {
      const { kind, name, scopes, allowedFrom } = body
      checkScopes(caller, scopes)
      if (kind === 'deploy' && scopes.some((scope) => !DEPLOY_SCOPES.includes(scope)))
        throw new Problem(
          'invalid-request',
          `A deploy key can have the scopes ${DEPLOY_SCOPES.join(' and ')} only.`,
          { param: 'scopes' },
        )
      const expiresAt = body.expiresAt === null ? null : new Date(body.expiresAt)
      if (expiresAt !== null && expiresAt.getTime() <= now())
        throw new Problem('invalid-request', 'This time is in the past.', { param: 'expiresAt' })
      const requester = requesterOf({ caller, clientAddress })
      const made = await createApiKey(
        { database: databaseOf(caller.tenant), pepper, requester },
        {
          kind,
          name,
          scopes: [...new Set(scopes)],
          allowedFrom: allowedFrom.length === 0 ? null : allowedFrom,
          expiresAt,
          idempotencyKey,
        },
      ).catch((error: unknown) => {
        throw asRefusal(error)
      })
      return showCreated(made)
    },
  })

const rotateKey = ({ databaseOf, pepper, now }: KeyRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/:keyId/rotate`,
    tag: TAG,
    summary: 'Rotate a key',
    description:
      'Creates a key with the name, scopes, networks and lifetime of an existing key, and ends the existing key after the overlap. The response is the only place where the new key is shown.',
    caller: CALLER,
    params: KeyParams,
    body: RotateKeyBody,
    reply: CreatedApiKey,
    status: 201,
    problems: ['conflict'],
    limit: LIMIT,
    async handle({ caller, params, body, clientAddress }) {
      const made = await rotateApiKey(
        {
          database: databaseOf(caller.tenant),
          pepper,
          requester: requesterOf({ caller, clientAddress }),
        },
        {
          id: params.keyId,
          overlapHours: body.overlapHours,
          nowMs: now(),
          // Without this check, a caller could get a key with more scopes than its own.
          check: (old) => checkScopes(caller, old.scopes),
        },
      )
      if (!('refusal' in made)) return showCreated(made)
      if (made.refusal === 'unknown') throw noSuchKey()
      throw new Problem(
        'conflict',
        'This key has expired or was revoked. Create a new one instead.',
      )
    },
  })

const revokeKey = ({ databaseOf }: KeyRouteDeps) =>
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:keyId`,
    tag: TAG,
    summary: 'Revoke a key',
    description: 'The key permanently stops working within a second. It stays in the list of keys.',
    caller: CALLER,
    params: KeyParams,
    async handle({ caller, params, clientAddress }) {
      const store = new KeyStore(databaseOf(caller.tenant))
      const isRevoked = await store.revoke(params.keyId, (query) =>
        insertAudit(query, {
          ...requesterOf({ caller, clientAddress }),
          action: 'key.revoke',
          object: `key ${params.keyId}`,
        }),
      )
      if (!isRevoked) throw noSuchKey()
      return undefined
    },
  })

function checkScopes({ scopes: own }: Caller, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !hasScope(own, scope))
  if (missing.length === 0) return
  throw new Problem(
    'forbidden',
    `A key can have only scopes that you have yourself. You do not have: ${missing.join(', ')}.`,
    { param: 'scopes' },
  )
}

function asRefusal(error: unknown): unknown {
  if (error instanceof RepeatedKey)
    return new Problem(
      'conflict',
      'A key was created with this Idempotency-Key before. It cannot be shown again: revoke it and create another.',
      { param: 'Idempotency-Key' },
    )
  // PostgreSQL's error shows that a network is invalid, since its `cidr` type defines what is
  // valid.
  if (error instanceof Error && 'code' in error && error.code === '22P02')
    return new Problem(
      'invalid-request',
      'Expected a network such as 10.0.0.0/8, with only zeros after the mask.',
      { param: 'allowedFrom' },
    )
  return error
}

const noSuchKey = () => new Problem('not-found', 'This key does not exist.')

const showCreated = ({ row, token }: CreatedKey): CreatedApiKey => ({ ...showKey(row), token })

function showKey(row: ListedKey): ApiKey {
  const at = (date: Date | null) => date?.toISOString()
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    lastFour: row.last_four,
    scopes: KEY_SCOPES.filter((scope) => row.scopes.includes(scope)),
    allowedFrom: [...(row.allowed_from ?? [])],
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by ?? undefined,
    createdByName: row.created_by_name ?? undefined,
    expiresAt: at(row.expires_at),
    revokedAt: at(row.revoked_at),
    lastUsedAt: at(row.last_used_at),
    replaces: row.replaces ?? undefined,
  }
}
