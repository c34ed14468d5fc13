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

/**
 * The access settings of a project. The client secret is stored separately, as an encrypted secret.
 */
export type AccessSettings = {
  /** The current epoch. Sessions of earlier epochs have ended. */
  readonly epoch: number
  /**
   * The time when all sessions were last ended, in seconds. Access tokens of the OpenID provider
   * must be issued at or after it.
   */
  readonly endedAt: number | undefined
  readonly mode: Protection
  readonly previews: 'default' | 'site' | 'members'
  readonly sessionHours: number
  readonly passwordHash: string | undefined
  readonly oidc: OidcAccess | undefined
  readonly jwt: JwtAccess | undefined
}

/** The name of the project secret that stores the client secret for the OpenID provider. */
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

/** Additional information that owners see with their access settings. */
export type AccessState = {
  /** Undefined if the mode was never changed. */
  readonly modeSetAt: Date | undefined
  readonly passwordSetAt: Date | undefined
  readonly clientSecretSetAt: Date | undefined
  /** The number of signed-in browsers, up to a maximum. */
  readonly sessions: number
}

type StateRow = {
  readonly mode_set_at: Date | null
  readonly password_set_at: Date | null
  readonly secret_set_at: Date | null
  readonly sessions: number
}

const SESSION_HOURS = 168
const SESSIONS_COUNTED_MAX = 10_000

/** Contains all SQL for access settings. */
export function createAccessStore(database: ProjectDatabase) {
  return {
    read: (): Promise<AccessSettings> => database.transaction((query) => readAccess(query)),

    readState: (): Promise<AccessState> => readState(database),

    /**
     * Reads the settings and locks the project, so that concurrent changes run one after the other.
     */
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
        `insert into site_access as a (project_id, previews, session_hours, password_hash, password_set_at, oidc, jwt)
         values (current_project(), $1, $2, $3, case when $3::text is not null then now() end, $4, $5)
         on conflict (project_id) do update
           set previews = excluded.previews, session_hours = excluded.session_hours,
               password_set_at = case when a.password_hash is distinct from excluded.password_hash
                                      then excluded.password_set_at else a.password_set_at end,
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
        `with changed as (
           update project set protection = $1
            where organization_id = current_organization() and id = current_project() and protection <> $1
           returning id)
         update site_access a set mode_set_at = now() from changed where a.project_id = changed.id`,
        [mode],
      )
      // Notifies the hosts, because they cache the access settings of the site and all its
      // previews.
      await query('select announce_project()')
    },

    /**
     * Ends all sessions of the project, but not its reader tokens. The time of the call is stored
     * with the OpenID settings, because it also invalidates access tokens from the provider.
     */
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

async function readState(database: ProjectDatabase): Promise<AccessState> {
  const [row] = await database.query<StateRow>(
    `select (select mode_set_at from site_access where project_id = current_project()),
            (select password_set_at from site_access where project_id = current_project()),
            (select updated_at from secret where project_id = current_project() and name = $1) as secret_set_at,
            (select count(*)::integer from (
               select from reader_session where project_id = current_project() and way <> 'token'
                  and expires_at > now() and epoch = reader_epoch() limit $2) as counted) as sessions`,
    [CLIENT_SECRET, SESSIONS_COUNTED_MAX],
  )
  return {
    modeSetAt: row?.mode_set_at ?? undefined,
    passwordSetAt: row?.password_set_at ?? undefined,
    clientSecretSetAt: row?.secret_set_at ?? undefined,
    sessions: row?.sessions ?? 0,
  }
}
