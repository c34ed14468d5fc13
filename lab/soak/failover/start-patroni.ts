/**
 * Starts PostgreSQL with automatic failover, for tests and benches: three nodes of Debian's
 * PostgreSQL 15
 * under Patroni with synchronous replication, one etcd, and HAProxy that routes to the leader.
 *
 * `nodes` can be killed like a machine that loses power, and restarted on the same data.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { childrenOf, freePort } from '../../../packages/service/testing/start-postgres.ts'

type PatroniNode = {
  readonly name: string
  /** The port of this node's PostgreSQL. */
  readonly port: number
  /** Returns true if the node's Patroni is running. */
  readonly isRunning: () => boolean
  /** Kills Patroni and PostgreSQL with SIGKILL. */
  readonly kill: () => Promise<void>
  /** Suspends Patroni and PostgreSQL: connections stay open, but get no responses. */
  readonly freeze: () => void
  readonly resume: () => void
  /** Starts Patroni again, which turns an old leader into a replica. */
  readonly restart: () => void
}

export type RunningPatroni = {
  /** The URL of HAProxy, which always leads to the leader. */
  readonly url: string
  readonly nodes: readonly PatroniNode[]
  /** Kills the leader. The others elect a new one when its lease expires. */
  readonly kill: () => Promise<void>
  /** Restarts killed nodes as replicas, and waits until all of them follow the leader. */
  readonly restart: () => Promise<void>
  /** Freezes the leader. It is replaced by another node, and notices this when it is resumed. */
  readonly pause: () => Promise<void>
  readonly resume: () => void
  /** Returns the node that holds the leader key and accepts writes, if there is one. */
  readonly findLeader: () => Promise<PatroniNode | undefined>
  /** Waits for a leader and two replicas that follow it, one of them synchronous. */
  readonly waitUntilHealthy: () => Promise<PatroniNode>
  readonly stop: () => Promise<void>
}

/**
 * The id of the user who runs everything if this program runs as root, because PostgreSQL refuses
 * to run as root.
 */
const NOBODY = 65_534
const BINARIES = '/usr/lib/postgresql/15/bin'
const NODES = ['n1', 'n2', 'n3']
/**
 * The time limit for a healthy cluster. Debian's etcd, Patroni and PostgreSQL start slowly on a
 * busy machine.
 */
const HEALTHY_MS_MAX = 240_000
const LOOK_MS = 250
const REST_MS_MAX = 2_000

export const PATRONI_PACKAGES = 'patroni etcd-server haproxy postgresql-15'
const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', `${BINARIES}/postgres`]

/** Returns the required programs that are not installed. */
export function missingPatroniPrograms(): readonly string[] {
  return PROGRAMS.filter((program) => !existsSync(program))
}

export async function startPatroni(): Promise<RunningPatroni> {
  const missing = missingPatroniPrograms()
  if (missing.length > 0)
    throw new Error(
      `${missing.join(', ')} is missing. Run apt-get install --no-install-recommends ${PATRONI_PACKAGES}`,
    )
  const folder = mkdtempSync(join(tmpdir(), 'octavo-patroni-'))
  const launch = createLauncher(folder)
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const etcdPort = await freePort()
    const etcd = launch('/usr/bin/etcd', etcdFlags(etcdPort, await freePort(), folder))
    ends.push(() => endProcess(etcd))
    const nodes: OwnNode[] = []
    for (const name of NODES) {
      const ports = { port: await freePort(), restPort: await freePort() }
      nodes.push(createNode({ name, folder, etcdPort, launch, ...ports }))
    }
    ends.push(() => Promise.all(nodes.map((node) => node.kill())))
    for (const node of nodes) node.restart()
    const port = await freePort()
    writeFileSync(join(folder, 'haproxy.cfg'), printProxyConfig(port, nodes))
    const proxy = launch('/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
    ends.push(() => endProcess(proxy))
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const waitUntilHealthy = () => waitForCluster(nodes, url)
    await waitUntilHealthy()
    return {
      url,
      nodes,
      findLeader: () => findLeader(nodes),
      waitUntilHealthy,
      async kill() {
        await (await findLeader(nodes))?.kill()
      },
      async pause() {
        ;(await findLeader(nodes))?.freeze()
      },
      resume() {
        for (const node of nodes) node.resume()
      },
      async restart() {
        for (const node of nodes) if (!node.isRunning()) node.restart()
        await waitUntilHealthy()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Launch = (program: string, args: readonly string[]) => ChildProcess

/** Returns a function that starts programs, each of which logs to its own file in the folder. */
function createLauncher(folder: string): Launch {
  const asRoot = process.getuid?.() === 0
  const as = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (asRoot) chownSync(folder, NOBODY, NOBODY)
  return (program, args) => {
    const log = openSync(join(folder, `${program.split('/').at(-1)}.log`), 'a')
    const child = spawn(program, args, {
      ...as,
      cwd: folder,
      env: { PATH: `${BINARIES}:/usr/sbin:/usr/bin:/bin`, HOME: folder, LANG: 'C.UTF-8' },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    return child
  }
}

function etcdFlags(clientPort: number, peerPort: number, folder: string): readonly string[] {
  const client = `http://127.0.0.1:${clientPort}`
  const peer = `http://127.0.0.1:${peerPort}`
  return [
    ...['--name', 'e1', '--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `e1=${peer}`],
  ]
}

type NodeOptions = {
  readonly name: string
  readonly folder: string
  readonly port: number
  readonly restPort: number
  readonly etcdPort: number
  readonly launch: Launch
}

type OwnNode = PatroniNode & { readonly restPort: number }

function createNode(options: NodeOptions): OwnNode {
  const { name, folder, port, restPort, launch } = options
  const config = join(folder, `${name}.yml`)
  writeFileSync(config, printNodeConfig(options))
  let patroni: ChildProcess | undefined

  /** Returns the process id of PostgreSQL, which outlives Patroni. */
  function readPid(): number | undefined {
    const file = join(folder, name, 'postmaster.pid')
    if (!existsSync(file)) return undefined
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
    return isRunning(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
      ? pid
      : undefined
  }
  /** Sends a signal to all processes. PostgreSQL has one for each connection. */
  function signal(kind: 'SIGSTOP' | 'SIGCONT'): void {
    patroni?.kill(kind)
    const pid = readPid()
    if (pid === undefined) return
    // The parent gets the signal first: while it is stopped, it starts no children.
    process.kill(pid, kind)
    for (const child of childrenOf(pid)) {
      try {
        process.kill(child, kind)
      } catch {
        // The process has ended in the meantime.
      }
    }
  }
  return {
    name,
    port,
    restPort,
    isRunning: () =>
      patroni !== undefined && patroni.signalCode === null && patroni.exitCode === null,
    async kill() {
      const pid = readPid()
      if (patroni !== undefined) patroni.kill('SIGKILL')
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      if (patroni !== undefined) await endProcess(patroni)
      const family = () => (pid === undefined ? [] : [pid]).filter(isRunning)
      for (let waited = 0; family().length > 0 && waited < REST_MS_MAX; waited += 20)
        await sleep(20)
    },
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    restart() {
      patroni = launch('/usr/bin/patroni', [config])
    },
  }
}

/**
 * Prints the configuration of a node. The leader's lease is 20 seconds, the shortest that Patroni
 * allows: a failover takes that long if a whole machine is gone. With `synchronous_mode`, only a
 * node that has every acknowledged commit is promoted.
 */
function printNodeConfig({ name, folder, port, restPort, etcdPort }: NodeOptions): string {
  const superuser = { username: 'postgres', password: 'postgres' }
  const config = {
    scope: 'octavo',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 100, shared_buffers: '32MB', wal_keep_size: '256MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host replication all 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name),
      bin_dir: BINARIES,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser,
        replication: { username: 'replicator', password: 'replicator' },
        rewind: { username: 'rewinder', password: 'rewinder' },
      },
      parameters: { unix_socket_directories: '' },
      // A frozen leader may have writes that no other node has. Its data is then copied from the
      // new leader.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  }
  // JSON is valid YAML.
  return JSON.stringify(config, null, 2)
}

/**
 * Prints the configuration of HAProxy. It closes sessions with a node that is no longer the leader,
 * so that clients reconnect to the new leader.
 */
function printProxyConfig(port: number, nodes: readonly OwnNode[]): string {
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`,
  )
  return `global
  maxconn 400
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  timeout check 1s
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

async function findLeader(nodes: readonly OwnNode[]): Promise<OwnNode | undefined> {
  const found = await Promise.all(
    nodes.map((node) =>
      fetch(`http://127.0.0.1:${node.restPort}/primary`, { signal: AbortSignal.timeout(1_000) })
        .then((response) => response.ok)
        .catch(() => false),
    ),
  )
  return nodes[found.indexOf(true)]
}

async function waitForCluster(nodes: readonly OwnNode[], url: string): Promise<OwnNode> {
  const started = performance.now()
  while (performance.now() - started < HEALTHY_MS_MAX) {
    const leader = await findLeader(nodes)
    if (leader !== undefined && (await isHealthy(leader, url))) return leader
    await sleep(LOOK_MS)
  }
  throw new Error('Patroni: no leader with two replicas in time')
}

/**
 * Checks that HAProxy routes to the leader, two replicas follow it, and etcd names one of them as
 * synchronous. PostgreSQL reports this replica a moment before etcd does, and a node that etcd does
 * not name is never promoted.
 */
async function isHealthy(leader: OwnNode, url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {
    // The error is ignored here, because the query fails with the connection.
  })
  try {
    const reply = await fetch(`http://127.0.0.1:${leader.restPort}/cluster`)
    const { members } = (await reply.json()) as { members: readonly { role: string }[] }
    if (members.filter(({ role }) => role === 'sync_standby').length !== 1) return false
    await client.connect()
    const { rows } = await client.query<{ port: number; streaming: number; sync: number }>(
      `select current_setting('port')::int as port, count(*)::int as streaming,
              count(*) filter (where sync_state = 'sync')::int as sync
         from pg_stat_replication where state = 'streaming'`,
    )
    const [row] = rows
    return row?.port === leader.port && row.streaming === NODES.length - 1 && row.sync === 1
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}
