/**
 * Starts the services of deploy/compose.yaml, without Docker.
 * These are PostgreSQL, Caddy with deploy/compose/Caddyfile and its own certificate authority, and
 * `octavo-service --role all`. For manual testing and drills: everything is in a temporary folder
 * and is deleted at the end.
 *
 *   npm run lab drill/stack -- [--https-port 8443] [--http-port 8080]        (needs Caddy)
 *
 * Prints the link for the first owner and the authority's certificate file. Ctrl-C stops it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import { freePort, startPostgres } from '../../packages/service/testing/start-postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const SERVICE = join(ROOT, 'packages/service/src/main.ts')
const CADDY = 'caddy'
const SITES_DOMAIN = 'sites.localhost'
const CERTIFICATE_TRIES_MAX = 300
const CERTIFICATE_PAUSE_MS = 100

const { values } = parseArgs({
  options: {
    'https-port': { type: 'string', default: '8443' },
    'http-port': { type: 'string', default: '8080' },
  },
})
if (spawnSync(CADDY, ['version']).status !== 0) {
  console.log('Caddy is missing: apt-get install caddy')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-stack-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
const stopping = Promise.withResolvers<void>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.resolve())
try {
  await start()
  await stopping.promise
} finally {
  for (const end of ends.reverse()) await end()
}

async function start(): Promise<void> {
  const postgres = await startPostgres({
    settings: { shared_buffers: '128MB', max_connections: '50' },
  })
  ends.push(postgres.stop)
  const [port, adminPort] = [await freePort(), await freePort()]
  const url = `https://127.0.0.1:${values['https-port']}`
  const environment = {
    PATH: process.env.PATH ?? '',
    ...printedEnvironment({ url, database: postgres.url }),
    OCTAVO_BLOBS: join(folder, 'blobs'),
    OCTAVO_WORK_FOLDER: join(folder, 'work'),
    OCTAVO_TRUSTED_PROXIES: '127.0.0.1',
    OCTAVO_HOST_CACHE_MB: '64',
    OCTAVO_ADMIN_PORT: String(adminPort),
    PORT: String(port),
  }
  const migrated = spawnSync(process.execPath, ['--no-warnings', SERVICE, 'migrate'], {
    env: { ...environment, DATABASE_OWNER_URL: postgres.url },
    encoding: 'utf8',
  })
  if (migrated.status !== 0) throw new Error(migrated.stderr)
  const authority = await startCaddy({ port, adminPort, url })
  console.log(`Certificate authority: ${authority}`)
  const service = launch(process.execPath, ['--no-warnings', SERVICE, '--role', 'all'], environment)
  if (service.stdout === null) throw new Error('the service has no output')
  createInterface({ input: service.stdout }).on('line', (line) => {
    const setup = /https:\/\/\S+\/setup\/\w+/.exec(line)?.[0]
    if (setup !== undefined) console.log(`Set up the dashboard: ${setup}`)
    else if (line.includes('"error"')) console.log(line)
  })
}

/** Returns the settings and secrets that `setup --print-env` prints. */
function printedEnvironment({
  url,
  database,
}: {
  readonly url: string
  readonly database: string
}) {
  const args = ['setup', '--print-env', '--url', url, '--sites-domain', SITES_DOMAIN]
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--no-warnings', SERVICE, ...args, '--database', database],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  return parseEnv(stdout) as Record<string, string>
}

type Upstream = { readonly port: number; readonly adminPort: number; readonly url: string }

/**
 * Starts Caddy with the file from deploy/, and returns the path of the certificate of its
 * authority.
 */
async function startCaddy({ port, adminPort, url }: Upstream): Promise<string> {
  const options = [
    'admin off',
    'skip_install_trust',
    `http_port ${values['http-port']}`,
    `https_port ${values['https-port']}`,
    `storage file_system ${join(folder, 'caddy')}`,
  ]
  const file = join(folder, 'Caddyfile')
  const certificates = join(folder, 'certificates')
  mkdirSync(certificates)
  writeFileSync(
    file,
    readFileSync(join(ROOT, 'deploy/compose/Caddyfile'), 'utf8')
      .replaceAll('octavo:8080', `127.0.0.1:${port}`)
      .replace('octavo:9080', `127.0.0.1:${adminPort}`)
      .replace('load /certificates', `load ${certificates}`)
      .replace('{\n', `{\n\t${options.join('\n\t')}\n`),
  )
  launch(CADDY, ['run', '--config', file, '--adapter', 'caddyfile'], {
    HOME: folder,
    PATH: process.env.PATH ?? '',
    OCTAVO_URL: url,
    CERTIFICATE_ISSUER: 'internal',
  })
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt')
  for (let tried = 0; !existsSync(authority); tried += 1) {
    if (tried === CERTIFICATE_TRIES_MAX) throw new Error('Caddy did not start')
    await sleep(CERTIFICATE_PAUSE_MS)
  }
  return authority
}

function launch(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const log = command === CADDY ? 'ignore' : 'inherit'
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', log] })
  child.once('exit', () => stopping.resolve())
  ends.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  })
  return child
}
