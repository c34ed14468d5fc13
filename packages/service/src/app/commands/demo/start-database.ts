/** Starts a demo's PostgreSQL in its own folder. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgres } from './postgres/find-postgres.ts'
import { createPostgresServer, type PostgresServer } from './postgres/postgres-server.ts'

export type DatabaseOptions = {
  /** The demo's folder. If it already contains a database, that database is used. */
  readonly folder: string
  /** The superuser's password. */
  readonly password: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Announces steps that take a long time. */
  readonly announce: (line: string) => void
  /** Called with each started part, so that the caller can stop it at the end. */
  readonly onStarted: (part: StartedPart) => void
  readonly signal: AbortSignal
}

export type StartedPart = {
  readonly stop: () => Promise<unknown>
  /** Ends the part without waiting. */
  readonly kill: () => void
}

/** Demo data is deleted at the end, so it does not have to survive a crash. */
const DATABASE_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '60',
  shared_buffers: '64MB',
}

export async function startDatabase(options: DatabaseOptions): Promise<PostgresServer> {
  const { folder, password, environment, announce, signal, onStarted } = options
  const binaries = await findPostgres({ environment, folder, announce, signal })
  const own = join(folder, 'database')
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const { PATH, HOME, TMPDIR } = environment
  const server = await createPostgresServer({
    binaries,
    folder: own,
    password,
    // Keep the data if an earlier start has created it.
    copy: existsSync(join(own, 'data')) ? async () => {} : undefined,
    settings: DATABASE_SETTINGS,
    environment: { PATH, HOME, TMPDIR, LC_ALL: 'C' },
    isDetached: true,
    signal,
  })
  signal.throwIfAborted()
  onStarted({ stop: () => server.end('SIGINT'), kill: () => void server.end('SIGQUIT') })
  await server.start()
  return server
}
