import type { Protection, PublicJwk } from '@octavo/contract'
import type { ProjectDatabase, Query } from '../../platform/database/database.ts'

type OidcAccess = {
  readonly issuer?: string | undefined
  readonly clientId?: string | undefined
  readonly scopes: readonly string[]
  readonly groupsClaim: string
}

type JwtAccess = {
  readonly loginUrl?: string | undefined
  readonly keys: readonly PublicJwk[]
}

/** What the owner of a project set for its readers. The client secret is a secret of its own. */
export type AccessSettings = {
  /** Sessions of another one are over. */
  readonly epoch: number
  /** Access tokens of the OpenID provider count if they are not older; in seconds, as theirs. */
  readonly endedAt: number | undefined
  readonly mode: Protection
  readonly previews: 'default' | 'site' | 'members'
  readonly sessionHours: number
  readonly passwordHash: string | undefined
  readonly oidc: OidcAccess | undefined
  readonly jwt: JwtAccess | undefined
}

/** The secret of a project that holds what its OpenID provider knows us by. */
export const CLIENT_SECRET = 'readers oidc'

type Row = {
  readonly epoch: number | null
  readonly mode: Protection
  readonly previews: AccessSettings['previews'] | null
  readonly session_hours: number | null
  readonly password_hash: string | null
  readonly oidc: OidcAccess | null
  readonly ended_at: number | null
  readonly jwt: JwtAccess | null
}

const SESSION_HOURS = 168

/** All SQL about what owners set for readers. */
export function createAccessStore(database: ProjectDatabase) {
  return {
    read: (): Promise<AccessSettings> => database.transaction((query) => readAccess(query)),

    /** In a transaction, so that two changes at a time are one after the other. */
    async readLocked(query: Query): Promise<AccessSettings> {
      await query(
        `select from project
          where organization_id = current_organization() and id = current_project() for update`,
      )
      return readAccess(query)
    },

    async write(query: Query, settings: AccessSettings): Promise<void> {
      const { mode, previews, sessionHours, passwordHash, oidc, endedAt, jwt } = settings
      await query(
        `insert into site_access (project_id, previews, session_hours, password_hash, oidc, jwt)
         values (current_project(), $1, $2, $3, $4, $5)
         on conflict (project_id) do update
           set previews = excluded.previews, session_hours = excluded.session_hours,
               password_hash = excluded.password_hash, oidc = excluded.oidc, jwt = excluded.jwt`,
        [
          previews,
          sessionHours,
          passwordHash ?? null,
          oidc === undefined ? null : JSON.stringify({ ...oidc, endedAt }),
          jwt === undefined ? null : JSON.stringify(jwt),
        ],
      )
      await query(
        `update project set protection = $1
          where organization_id = current_organization() and id = current_project() and protection <> $1`,
        [mode],
      )
      // Hosts read how readers are let in, of the site and of all previews.
      await query('select announce_project()')
    },

    /** Ends all sessions and tokens of the project. Its time is kept beside the provider, whose tokens it is for. */
    async endSessions(query: Query): Promise<void> {
      await query(
        `insert into site_access as a (project_id, epoch) values (current_project(), 1)
         on conflict (project_id) do update
           set epoch = a.epoch + 1,
               oidc = a.oidc || jsonb_build_object('endedAt', extract(epoch from clock_timestamp()))`,
      )
    },
  }
}

async function readAccess(query: Query): Promise<AccessSettings> {
  const [row] = await query<Row>(
    `select p.protection as mode, a.epoch, a.previews, a.session_hours, a.password_hash, a.jwt,
            a.oidc - 'endedAt' as oidc, (a.oidc ->> 'endedAt')::float8 as ended_at
       from project p left join site_access a on a.project_id = p.id
      where p.organization_id = current_organization() and p.id = current_project()`,
  )
  if (row === undefined) throw new Error('the project is gone')
  return {
    epoch: row.epoch ?? 0,
    endedAt: row.ended_at ?? undefined,
    mode: row.mode,
    previews: row.previews ?? 'default',
    sessionHours: row.session_hours ?? SESSION_HOURS,
    passwordHash: row.password_hash ?? undefined,
    oidc: row.oidc ?? undefined,
    jwt: row.jwt ?? undefined,
  }
}
