/** PostgreSQL of a demo, in a folder of its own. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgres } from './postgres/find-postgres.ts'
import { createPostgresServer, type PostgresServer } from './postgres/postgres-server.ts'

export type DatabaseOptions = {
  /** The folder of the demo. A database that is in it already is started again. */
  readonly folder: string
  /** Of the superuser. */
  readonly password: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Says that something takes long. */
  readonly announce: (line: string) => void
  /** Gets what has to be ended, as soon as it is there. */
  readonly onStarted: (part: StartedPart) => void
  readonly signal: AbortSignal
}

export type StartedPart = {
  readonly stop: () => Promise<unknown>
  /** Ends it without waiting. */
  readonly kill: () => void
}

/** The data are thrown away, so nothing has to survive a crash. */
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
    // Data of an earlier start are used as they are.
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
