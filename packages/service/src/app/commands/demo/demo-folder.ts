/** Manages the temporary folder of a demo, and removes the folders of killed demos. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

const PREFIX = 'octavo-demo-'
/** The file that names the process using the folder. */
const OWNER = 'owner'
const POSTMASTER = 'database/data/postmaster.pid'
const END_MS_MAX = 5_000
const LOOK_MS = 50

export function createDemoFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  takeFolder(folder)
  return folder
}

function takeFolder(folder: string): void {
  // If started by root, PostgreSQL runs as another user that has to reach its data but cannot list
  // the folder.
  chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700)
  writeFileSync(join(folder, OWNER), ownerOf(process.pid), { mode: 0o600 })
}

/**
 * Claims a folder with persistent data, after stopping the server of a killed process. Returns the
 * id of the process that is using the folder, or undefined if it was claimed.
 */
export async function claimFolder(folder: string): Promise<number | undefined> {
  const owner = readText(join(folder, OWNER))
  const pid = Number(owner?.split(' ').at(-1))
  if (owner === ownerOf(pid) && isAlive(pid)) return pid
  await stopDemoServer(join(folder, POSTMASTER), folder)
  mkdirSync(folder, { recursive: true })
  takeFolder(folder)
  return undefined
}

export function removeDemoFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: LOOK_MS })
}

export function releaseFolder(folder: string): void {
  rmSync(join(folder, OWNER), { force: true })
}

/**
 * Identifies a process. Includes the host name, since process ids are only unique within a machine
 * or container.
 */
const ownerOf = (pid: number) => `${hostname()} ${pid}`

/**
 * Cleans up after this user's demos whose process is gone: stops their servers and deletes their
 * folders.
 */
export async function removeDeadDemos(): Promise<void> {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX))
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    if (!isDead(folder)) continue
    await stopDemoServer(join(folder, POSTMASTER), folder)
    removeDemoFolder(folder)
  }
}

/** Returns true only if the demo's process is certainly gone. */
function isDead(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.()) return false
  const owner = readText(join(folder, OWNER))
  const pid = Number(owner?.split(' ').at(-1))
  return owner === ownerOf(pid) && !isAlive(pid)
}

/** Stops PostgreSQL, which outlives a killed demo. Its process id may have been reused since. */
async function stopDemoServer(file: string, folder: string): Promise<void> {
  const pid = Number(readText(file)?.split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1) return
  const isOurs = () => isAlive(pid) && readText(`/proc/${pid}/cmdline`)?.includes(folder) !== false
  // Without /proc, this relies on the lock file as PostgreSQL does: the server removes it when it
  // stops.
  const end = Date.now() + END_MS_MAX
  if (isOurs()) process.kill(pid, 'SIGQUIT')
  while (existsSync(file) && isOurs() && Date.now() < end) await sleep(LOOK_MS)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { readonly code?: string }).code === 'EPERM'
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
