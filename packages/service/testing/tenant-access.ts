/**
 * Fills two projects with readers, and runs all operations on the readers of one project; used by
 * `two-tenants.ts`.
 */
import { createHash } from 'node:crypto'
import type { Database, ProjectDatabase } from '../src/platform/database/database.ts'
import { savePrivacy } from '../src/publishing/connections/ref-store.ts'
import { createReaderSessionStore } from '../src/reading/access/session-store.ts'
import { createAccessStore } from '../src/reading/access/settings-store.ts'
import { createReaderTokenStore } from '../src/reading/access/token-store.ts'

const tokenIdOf = (text: string) => `rtk_${text.slice(-5).padStart(16, '0')}`
const hashOf = (text: string) => createHash('sha256').update(text).digest()

export async function fillAccess(
  owner: Database,
  { tenant }: Pick<ProjectDatabase, 'tenant'>,
  text = 'text',
): Promise<void> {
  await owner.query(
    `insert into site_access (project_id, epoch, jwt) values ($1, 7, jsonb_build_object('loginUrl', $2::text, 'keys', '[]'::jsonb))
     on conflict do nothing`,
    [tenant.projectId, text],
  )
  await owner.query(
    `insert into reader_session (project_id, token_hash, way, host, epoch, groups, pepper_id, expires_at)
     values ($1, $2, 'jwt', $3, 7, array[$3], 'x', now() + interval '1 day')`,
    [tenant.projectId, hashOf(text), text],
  )
  await owner.query(
    `insert into reader_session (project_id, token_hash, way, epoch, groups, id, name, pepper_id, expires_at)
     values ($1, $2, 'token', 7, array[$3], $4, $3, 'x', now() + interval '1 day')`,
    [tenant.projectId, hashOf(`token ${text}`), text, tokenIdOf(text)],
  )
}

export function accessOperations(
  database: ProjectDatabase,
  otherText: string,
): readonly (() => Promise<unknown>)[] {
  const sessions = createReaderSessionStore(database)
  const tokens = createReaderTokenStore(database)
  const access = createAccessStore(database)
  const token = {
    id: 'rtk_own',
    name: 'own',
    groups: [],
    hash: hashOf('own token'),
    pepperId: 'own',
    minutes: 5,
    actor: 'operator',
  }
  const session = {
    way: 'jwt',
    host: 'own',
    pepperId: 'own',
    groups: [],
    member: undefined,
    seconds: 60,
  } as const
  return [
    () => sessions.begin({ ...session, hash: hashOf('own reader') }),
    () => sessions.end([hashOf(otherText)]),
    () => sessions.end([hashOf('own reader')]),
    () => tokens.list(),
    () => database.transaction((query) => tokens.add(query, token)),
    () => database.transaction((query) => tokens.remove(query, tokenIdOf(otherText))),
    () => database.transaction((query) => tokens.remove(query, 'rtk_own')),
    () => database.transaction((query) => tokens.removeAll(query)),
    () => access.read(),
    () => access.readState(),
    () => database.transaction((query) => savePrivacy(query, true)),
    () =>
      database.transaction(async (query) => {
        const settings = await access.readLocked(query)
        await access.write(query, { ...settings, previews: 'members' })
        await access.endSessions(query)
      }),
  ]
}
