import { SessionList } from '@octavo/contract'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { ROW_ID } from '../../platform/http/time-cursor.ts'
import { Problem } from '../../platform/problem.ts'
import { createSessionStore } from './store.ts'

const NONE = z.object({})

export function sessionRoutes(database: Database): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/me/sessions',
      tag: 'People',
      summary: 'List my sessions',
      description: 'Browsers and command lines that you are signed in with.',
      caller: { kind: 'person' },
      params: NONE,
      query: NONE,
      reply: SessionList,
      formats: ['application/json'],
      async handle({ caller: { person } }) {
        const rows = await createSessionStore(database, person.userId).list()
        return {
          sessions: rows.map((row) => ({
            id: row.id,
            kind: row.kind,
            current: row.id === person.sessionId,
            device: row.device,
            ...(row.address_prefix !== null && { network: row.address_prefix }),
            createdAt: row.created_at.toISOString(),
            lastSeenAt: row.last_seen_at.toISOString(),
            expiresAt: row.expires_at.toISOString(),
          })),
        }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/me/sessions/:sessionId',
      tag: 'People',
      summary: 'End a session',
      description: 'Immediately signs out a browser or command line.',
      caller: { kind: 'person' },
      params: z.object({
        sessionId: z
          .string()
          .regex(ROW_ID, { error: 'The session does not exist.' })
          .meta({ description: 'The id of the session.' }),
      }),
      query: NONE,
      formats: ['application/json'],
      async handle({ caller: { person }, params }) {
        if (await createSessionStore(database, person.userId).end(params.sessionId))
          return undefined
        throw new Problem('not-found', 'The session does not exist.')
      },
    }),
  ]
}
