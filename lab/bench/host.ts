/**
 * Measures how fast hosted pages are served, compared with a bare `node:http` server and nginx.
 * The bare server sends the same bytes and headers from memory; nginx takes part if it is
 * installed. Requests per second are measured in turns, on one machine and in one run. The CPU time
 * per request is printed too: on a busy machine it is the better measure.
 * `--with <revision>` adds a host of another revision with a database of its own, in the same turns.
 *
 *   npm run lab bench/host -- [--seconds 4] [--rounds 5] [--with f12c4d2d]
 *
 * Needs wrk (`apt-get install wrk`). The client takes one core, so the machine needs two.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort, startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { preciseCpuMs } from '../parts/export/cpu-time.ts'
import { median } from '../parts/export/print-table.ts'
import { unpackVersion } from '../parts/old-version.ts'

const { values } = parseArgs({
  options: {
    with: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
  },
})
const NGINX = '/usr/sbin/nginx'
const CONNECTIONS = 32
const SHARE_MIN = 0.5
const ROOT = join(import.meta.dirname, '../..')
const HOST = 'bench.sites.localhost'

if (spawnSync('wrk', ['-v']).error !== undefined) {
  console.log('wrk is missing: apt-get install wrk')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-host-'))
const stops: (() => Promise<void> | void)[] = []
const children: ChildProcess[] = []
try {
  await run()
} finally {
  for (const child of children) child.kill('SIGKILL')
  for (const stop of stops) await stop()
  rmSync(folder, { recursive: true, force: true })
}

type Server = { readonly name: string; readonly port: number; readonly pid: number }

async function run(): Promise<void> {
  const hosts = [await startHost(ROOT, 'host role')]
  if (values.with !== undefined) {
    const old = unpackVersion(values.with)
    stops.push(old.remove)
    hosts.push(await startHost(old.folder, `host ${values.with}`))
  }
  const page = await read(hosts[0]?.port ?? 0, HOST)
  console.log(
    `A page of ${page.bytes.length} bytes (brotli), ${CONNECTIONS} connections, median of ${values.rounds} rounds\n`,
  )
  writeFileSync(
    join(folder, 'reply.json'),
    JSON.stringify({ headers: page.headers, body: page.bytes.toString('base64') }),
  )
  const node = [await startBare(), ...hosts]
  const nginx = existsSync(NGINX) ? [await startNginx(page.bytes)] : []
  compareServers('page', [...node, ...nginx])
  // Only the Node servers are compared: nginx generates different ETags, and another revision may
  // too.
  compareServers('304', node.slice(0, 2), ['-H', `If-None-Match: ${String(page.headers.etag)}`])
}

/** Measures all servers in turn, and prints their rates relative to the bare server. */
function compareServers(what: string, servers: readonly Server[], more: readonly string[] = []) {
  const rates = new Map(servers.map(({ name }) => [name, [] as number[]]))
  const times = new Map(servers.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { name, port, pid } of servers) {
      const before = preciseCpuMs(pid)
      const { rate, count } = measure(port, more)
      rates.get(name)?.push(rate)
      times.get(name)?.push(((preciseCpuMs(pid) - before) * 1_000) / count)
    }
  const bare = median(rates.get('bare node:http') ?? [])
  for (const [name, list] of rates) {
    const rate = median(list)
    console.log(
      `${what.padEnd(5)} ${name.padEnd(15)} ${Math.round(rate).toLocaleString('en').padStart(8)} requests/s  ${(rate / bare).toFixed(2)} × bare  ${median(times.get(name) ?? []).toFixed(0)} µs of CPU each`,
    )
  }
  const [, current = [], earlier = []] = [...times.values()]
  if (values.with !== undefined && what === 'page')
    console.log(
      `${what}: ${median(current.map((micros, index) => micros / (earlier[index] ?? 0))).toFixed(3)} × the CPU of ${values.with}, median of ${current.length} rounds`,
    )
  const share = median(rates.get('host role') ?? []) / bare
  console.log(
    share >= SHARE_MIN
      ? `${what}: ${Math.round(share * 100)} %, at least ${SHARE_MIN * 100} % ✓\n`
      : `${what}: ${Math.round(share * 100)} %, not ${SHARE_MIN * 100} % ✗\n`,
  )
  if (share < SHARE_MIN) process.exitCode = 1
}

/** Starts the service of a revision with a database of its own, and deploys a site to it. */
async function startHost(root: string, name: string): Promise<Server> {
  const main = join(root, 'packages/service/src/main.ts')
  const octavo = join(root, 'packages/cli/src/main.ts')
  const postgres = await startPostgres({ settings: { fsync: 'off' } })
  stops.push(() => postgres.stop())
  const [apiPort, port] = [await freePort(), await freePort()]
  const own = mkdtempSync(join(folder, 'host-'))
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_OWNER_URL: postgres.url,
    DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'bench_service' }).href,
    OCTAVO_KEY_PEPPER: 'a pepper for benches, 32 characters or more',
    OCTAVO_BLOBS: join(own, 'blobs'),
    OCTAVO_URL: `http://127.0.0.1:${apiPort}`,
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_ADMIN_PORT: '0',
  }
  command([main, 'migrate'], env)
  const made = command([main, 'init', '--organization', 'B', '--project', 'bench', '--json'], env)
  const { projectId, adminKey } = JSON.parse(made) as { projectId: string; adminKey: string }
  const startRole = (role: string, at: number) =>
    start(
      spawn(process.execPath, [main, '--role', role], {
        env: { ...env, PORT: String(at) },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
  await startRole('api', apiPort)
  const pid = await startRole('host', port)
  const service = ['--service', env.OCTAVO_URL, '--project', projectId]
  const site = join(own, 'docs')
  command([octavo, 'init', site, '--name', 'Bench', '--yes'], env)
  command([octavo, 'deploy', site, ...service], { ...env, OCTAVO_API_KEY: adminKey })
  return { name, port, pid }
}

function command(args: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Waits until the process listens, and returns its id. */
function start(child: ChildProcess): Promise<number> {
  children.push(child)
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('listening')) resolve(child.pid ?? 0)
    })
    child.once('exit', () => reject(new Error('a server ended')))
  })
}

/** Starts the bare Node server, which sends the same headers and bytes for every request. */
async function startBare(): Promise<Server> {
  const port = await freePort()
  const file = join(folder, 'bare.mjs')
  writeFileSync(
    file,
    `import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
const { headers, body } = JSON.parse(readFileSync(${JSON.stringify(join(folder, 'reply.json'))}, 'utf8'))
for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name]
const bytes = Buffer.from(body, 'base64')
const { 'content-length': length, 'content-encoding': encoding, ...withoutBody } = headers
createServer((request, response) => {
  if (request.headers['if-none-match'] === headers.etag) {
    response.writeHead(304, withoutBody).end()
    return
  }
  response.writeHead(200, headers)
  response.end(bytes)
}).listen(${port}, '127.0.0.1', () => console.log('listening'))
`,
  )
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { name: 'bare node:http', port, pid: await start(child) }
}

async function startNginx(bytes: Buffer): Promise<Server> {
  const port = await freePort()
  const root = join(folder, 'nginx')
  mkdirSync(root)
  writeFileSync(join(root, 'index.html'), bytes)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${root}/${name};`)
    .join('\n')
  writeFileSync(
    join(root, 'nginx.conf'),
    `daemon off;\nmaster_process off;\npid ${root}/pid;\nerror_log ${root}/error.log;\nevents {}\nhttp {\naccess_log off;\n${temporary}\nserver { listen 127.0.0.1:${port}; root ${root}; }\n}\n`,
  )
  const child = spawn(NGINX, ['-p', root, '-c', join(root, 'nginx.conf')], { stdio: 'ignore' })
  children.push(child)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return { name: 'nginx', port, pid: child.pid ?? 0 }
}

function read(
  port: number,
  host: string,
): Promise<{ headers: Record<string, unknown>; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    get(
      { host: '127.0.0.1', port, path: '/', headers: { host, 'accept-encoding': 'br' } },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => {
          if (response.statusCode === 200)
            resolve({ headers: response.headers, bytes: Buffer.concat(pieces) })
          else reject(new Error(`status ${response.statusCode}`))
        })
      },
    ).on('error', reject)
  })
}

function measure(
  port: number,
  more: readonly string[],
): { readonly rate: number; readonly count: number } {
  const { stdout } = spawnSync(
    'wrk',
    [
      ...['-t1', `-c${CONNECTIONS}`, `-d${values.seconds}s`],
      ...['-H', `Host: ${HOST}`, '-H', 'Accept-Encoding: br', ...more],
      `http://127.0.0.1:${port}/`,
    ],
    { encoding: 'utf8' },
  )
  const [, rate = ''] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  if (/Non-2xx or 3xx/.test(stdout) || !(Number(rate) > 0)) throw new Error(stdout)
  const [, count = ''] = /(\d+) requests in/.exec(stdout) ?? []
  return { rate: Number(rate), count: Number(count) }
}
