/**
 * Starts a real PgBouncer from Debian's package, in transaction mode in front of a PostgreSQL for
 * tests.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, waitUntilReady } from '../src/app/commands/demo/postgres/postgres-server.ts'

/** The id of the user that PgBouncer runs as, since it refuses to run as root. */
const NOBODY = 65_534

export type RunningPgBouncer = { readonly port: number; readonly stop: () => Promise<void> }

export async function startPgBouncer(postgresPort: number): Promise<RunningPgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pgbouncer-'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_idle_timeout = 1
server_login_retry = 1
query_wait_timeout = 2
logfile = ${join(folder, 'log')}
pidfile = ${join(folder, 'pid')}
`,
  )
  writeFileSync(join(folder, 'users'), '"postgres" ""\n"octavo_service" ""\n')
  const asRoot = process.getuid?.() === 0
  if (asRoot) chownSync(folder, NOBODY, NOBODY)
  const as = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const child: ChildProcess = spawn('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
    ...as,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitUntilReady(`postgres://postgres@127.0.0.1:${port}/postgres`)
  return {
    port,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
