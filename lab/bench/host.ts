/**
 * Measures how fast hosted pages are served, compared with a bare `node:http` server and nginx.
 * The bare server sends the same bytes and headers from memory; nginx takes part if it is
 * installed. Requests per second are measured in turns, on one machine and in one run. The CPU time
 * per request is printed too: on a busy machine it is the better measure.
 *
 *   npm run lab bench/host -- [--seconds 4] [--rounds 5]
 *
 * Needs wrk (`apt-get install wrk`). The client takes one core, so the machine needs two.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort, startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { median } from '../parts/export/print-table.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
  },
})
const NGINX = '/usr/sbin/nginx'
const CONNECTIONS = 32
const SHARE_MIN = 0.5
const ROOT = join(import.meta.dirname, '../..')
const SERVICE = join(ROOT, 'packages/service/src/main.ts')
const OCTAVO = join(ROOT, 'packages/cli/src/main.ts')

if (spawnSync('wrk', ['-v']).error !== undefined) {
  console.log('wrk is missing: apt-get install wrk')
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-host-'))
const postgres = await startPostgres({ settings: { fsync: 'off' } })
const children: ChildProcess[] = []
try {
  await run()
} finally {
  for (const child of children) child.kill('SIGKILL')
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const [apiPort, hostPort, barePort, nginxPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_OWNER_URL: postgres.url,
    DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'bench_service' }).href,
    OCTAVO_KEY_PEPPER: 'a pepper for benches, 32 characters or more',
    OCTAVO_BLOBS: join(folder, 'blobs'),
    OCTAVO_URL: `http://127.0.0.1:${apiPort}`,
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_ADMIN_PORT: '0',
  }
  command([SERVICE, 'migrate'], env)
  const made = command(
    [SERVICE, 'init', '--organization', 'B', '--project', 'bench', '--json'],
    env,
  )
  const { projectId, adminKey } = JSON.parse(made) as { projectId: string; adminKey: string }
  await startService('api', apiPort, env)
  const hostPid = await startService('host', hostPort, env)
  const service = ['--service', env.OCTAVO_URL, '--project', projectId]
  const site = join(folder, 'docs')
  command([OCTAVO, 'init', site, '--name', 'Bench', '--yes'], env)
  command([OCTAVO, 'deploy', site, ...service], { ...env, OCTAVO_API_KEY: adminKey })

  const host = 'bench.sites.localhost'
  const page = await read(hostPort, host)
  console.log(
    `A page of ${page.bytes.length} bytes (brotli), ${CONNECTIONS} connections, median of ${values.rounds} rounds\n`,
  )
  writeFileSync(
    join(folder, 'reply.json'),
    JSON.stringify({ headers: page.headers, body: page.bytes.toString('base64') }),
  )
  const barePid = await startBare(barePort)
  const etag = String(page.headers.etag)
  const node = [
    { name: 'bare node:http', port: barePort, pid: barePid },
    { name: 'host role', port: hostPort, pid: hostPid },
  ]
  const nginx = existsSync(NGINX)
    ? [{ name: 'nginx', port: nginxPort, pid: await startNginx(nginxPort, page.bytes) }]
    : []
  for (const { what, more, servers } of [
    { what: 'page', more: [], servers: [...node, ...nginx] },
    // nginx generates its own ETag.
    { what: '304', more: ['-H', `If-None-Match: ${etag}`], servers: node },
  ]) {
    const rates = new Map(servers.map(({ name }) => [name, [] as number[]]))
    const times = new Map(servers.map(({ name }) => [name, [] as number[]]))
    for (let round = 0; round < Number(values.rounds); round += 1)
      for (const { name, port, pid } of servers) {
        const before = cpuMicroseconds(pid)
        const { rate, count } = measure(port, host, more)
        rates.get(name)?.push(rate)
        times.get(name)?.push((cpuMicroseconds(pid) - before) / count)
      }
    const bare = median(rates.get('bare node:http') ?? [])
    for (const [name, list] of rates) {
      const rate = median(list)
      console.log(
        `${what.padEnd(5)} ${name.padEnd(15)} ${Math.round(rate).toLocaleString('en').padStart(8)} requests/s  ${(rate / bare).toFixed(2)} × bare  ${median(times.get(name) ?? []).toFixed(0)} µs of CPU each`,
      )
    }
    const share = median(rates.get('host role') ?? []) / bare
    console.log(
      share >= SHARE_MIN
        ? `${what}: ${Math.round(share * 100)} %, at least ${SHARE_MIN * 100} % ✓\n`
        : `${what}: ${Math.round(share * 100)} %, not ${SHARE_MIN * 100} % ✗\n`,
    )
    if (share < SHARE_MIN) process.exitCode = 1
  }
}

function command(args: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

function startService(role: string, port: number, env: NodeJS.ProcessEnv): Promise<number> {
  return start(
    spawn(process.execPath, [SERVICE, '--role', role], {
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
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

/** Starts the minimal Node server: the same headers and bytes for every request. */
async function startBare(port: number): Promise<number> {
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
  return start(spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] }))
}

async function startNginx(port: number, bytes: Buffer): Promise<number> {
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
  return child.pid ?? 0
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

/** Returns the user and system time of a process; 0 without /proc. */
function cpuMicroseconds(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  // After the name, which is in parentheses and may contain spaces: fields 14 and 15, in hundredths
  // of a second.
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function measure(
  port: number,
  host: string,
  more: readonly string[],
): { readonly rate: number; readonly count: number } {
  const { stdout } = spawnSync(
    'wrk',
    [
      ...['-t1', `-c${CONNECTIONS}`, `-d${values.seconds}s`],
      ...['-H', `Host: ${host}`, '-H', 'Accept-Encoding: br', ...more],
      `http://127.0.0.1:${port}/`,
    ],
    { encoding: 'utf8' },
  )
  const [, rate = ''] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  if (/Non-2xx or 3xx/.test(stdout) || !(Number(rate) > 0)) throw new Error(stdout)
  const [, count = ''] = /(\d+) requests in/.exec(stdout) ?? []
  return { rate: Number(rate), count: Number(count) }
}
