/**
 * Starts a real object store with the S3 API for tests: Ceph from Debian's packages, with one
 * daemon of each kind. Starting it takes about twenty seconds.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './start-postgres.ts'

export type RunningCeph = {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /**
   * Kills the disk and the gateway, as in a crash. `restart` starts them again with the same data.
   */
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  /** Freezes the gateway. It still accepts connections, but does not respond. */
  readonly pause: () => void
  readonly resume: () => void
  readonly stop: () => Promise<void>
}

/**
 * `memstore` keeps all data in memory. `bluestore` writes it to disk, so that it survives a crash.
 */
export type CephDisk = 'memstore' | 'bluestore'

export const CEPH_PACKAGES = 'radosgw ceph-mon ceph-osd ceph-mgr ceph-common'
const PROGRAMS = [
  'radosgw',
  'radosgw-admin',
  'monmaptool',
  'ceph-mon',
  'ceph-osd',
  'ceph-mgr',
  'ceph',
]

/** Returns the required programs that are not installed on this machine. */
export function missingCephPrograms(): readonly string[] {
  return PROGRAMS.filter((program) => {
    try {
      execFileSync('which', [program], { stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })
}

const KEYS = { accessKeyId: 'OCTAVO', secretAccessKey: 'a secret of tests' }

export async function startCeph(disk: CephDisk = 'memstore'): Promise<RunningCeph> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-ceph-'))
  const daemons: ChildProcess[] = []
  const stop = async () => {
    for (const daemon of daemons.reverse()) await end(daemon)
    rmSync(folder, { recursive: true, force: true })
  }
  const gateway = () => daemons.find(({ spawnfile }) => spawnfile === GATEWAY)
  try {
    const { endpoint, launchDisk, launchGateway } = await start({ folder, daemons, disk })
    return {
      endpoint,
      ...KEYS,
      async kill() {
        for (const daemon of daemons.filter(({ spawnfile }) => CRASHING.includes(spawnfile))) {
          await end(daemon)
          daemons.splice(daemons.indexOf(daemon), 1)
        }
      },
      async restart() {
        await launchDisk()
        await launchGateway()
      },
      pause: () => gateway()?.kill('SIGSTOP'),
      resume: () => gateway()?.kill('SIGCONT'),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const GATEWAY = 'radosgw'
const CRASHING = [GATEWAY, 'ceph-osd']

type Beginning = {
  readonly folder: string
  readonly daemons: ChildProcess[]
  readonly disk: CephDisk
}

async function start({ folder, daemons, disk }: Beginning) {
  const cluster = randomUUID()
  const monitor = `[v1:127.0.0.1:${await freePort()}]`
  const gatewayPort = await freePort()
  const config = join(folder, 'ceph.conf')
  writeFileSync(config, printConfig({ folder, cluster, monitor, gatewayPort, disk }))
  for (const name of ['mon', 'mgr', 'osd.0', 'rgw']) mkdirSync(join(folder, name))

  const run = (program: string, ...args: string[]) =>
    execFileSync(program, ['-c', config, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_TIMEOUT_MS,
    })
  const launch = (program: string, ...args: string[]) =>
    daemons.push(spawn(program, ['-c', config, ...args, '-f'], { stdio: 'ignore' }))
  const waitUntil = (what: string, isReady: () => boolean | Promise<boolean>) =>
    waitForDaemons(daemons, { what, isReady })

  const map = join(folder, 'monmap')
  const address = ['--fsid', cluster, '--addv', 'a', monitor]
  execFileSync('monmaptool', ['--create', ...address, map], { stdio: 'ignore' })
  run('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map, '--mon-data', join(folder, 'mon'))
  launch('ceph-mon', '-i', 'a')
  await waitUntil('the monitor', () => run('ceph', '--connect-timeout', '5', '-s') !== '')

  const launchDisk = async () => {
    launch('ceph-osd', '-i', '0')
    await waitUntil('the disk', () => run('ceph', 'osd', 'stat').includes('1 up'))
  }
  const endpoint = `http://127.0.0.1:${gatewayPort}`
  const launchGateway = async () => {
    launch(GATEWAY, '-n', 'client.rgw.a')
    await waitUntil('the gateway', async () => (await fetch(endpoint)).ok)
  }
  const diskId = randomUUID()
  // A new monitor refuses some commands (EPERM), so they are repeated, which is safe.
  const configure = (...args: string[]) =>
    waitUntil(`the command ${args.join(' ')}`, () => {
      run('ceph', ...args)
      return true
    })
  await configure('osd', 'new', diskId, '0')
  run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', diskId)
  await configure('osd', 'crush', 'add', 'osd.0', '1.0', 'host=h', 'root=default')
  launch('ceph-mgr', '-i', 'x')
  await launchDisk()
  await launchGateway()
  const keys = ['--access-key', KEYS.accessKeyId, '--secret-key', KEYS.secretAccessKey]
  run('radosgw-admin', 'user', 'create', '--uid', 'octavo', '--display-name', 'Octavo', ...keys)
  return { endpoint, launchDisk, launchGateway }
}

type Cluster = {
  readonly folder: string
  readonly cluster: string
  readonly monitor: string
  readonly gatewayPort: number
  readonly disk: CephDisk
}

function printConfig({ folder, cluster, monitor, gatewayPort, disk }: Cluster): string {
  return `[global]
fsid = ${cluster}
mon_initial_members = a
mon_host = ${monitor}
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr2 = false
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pgp_num = 8
osd_crush_chooseleaf_type = 0
# The disk would name its place by itself, sometimes before it knows the cluster, and then give up.
osd_class_update_on_start = false
osd_crush_update_on_start = false
osd_objectstore = ${disk}
memstore_device_bytes = 2147483648
bluestore_block_size = 4294967296
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
# A nearly full disk of the machine is no reason to stop: nothing is kept on it.
mon_data_avail_crit = 1
mon_data_avail_warn = 2
mgr_initial_modules =
run_dir = ${folder}
log_file = ${folder}/$name.log
admin_socket = ${folder}/$name.asok
pid_file = ${folder}/$name.pid
mon_data = ${folder}/mon
mgr_data = ${folder}/mgr
osd_data = ${folder}/osd.$id
[client.rgw.a]
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw_data = ${folder}/rgw
`
}

const COMMAND_TIMEOUT_MS = 60_000
const READY_TIMEOUT_MS = 180_000
const READY_PAUSE_MS = 200

type Wait = {
  readonly what: string
  readonly isReady: () => boolean | Promise<boolean>
}

async function waitForDaemons(daemons: readonly ChildProcess[], wait: Wait): Promise<void> {
  const started = performance.now()
  let refusal: unknown
  while (performance.now() - started < READY_TIMEOUT_MS && daemons.every(isRunning)) {
    try {
      if (await wait.isReady()) return
    } catch (error) {
      refusal = error
    }
    await pause(READY_PAUSE_MS)
  }
  const ended = daemons.filter((daemon) => !isRunning(daemon)).map(({ spawnfile }) => spawnfile)
  const reason = ended.length > 0 ? `${ended.join(', ')} ended` : 'it took too long'
  throw new Error(`Ceph: ${wait.what} failed: ${reason}`, { cause: refusal })
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

async function end(daemon: ChildProcess): Promise<void> {
  if (!isRunning(daemon)) return
  const ended = new Promise((resolve) => daemon.once('exit', resolve))
  daemon.kill('SIGKILL')
  await ended
}
