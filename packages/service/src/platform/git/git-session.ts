/**
 * Opens a connection to one server for the duration of one task: a proxy that can reach only this
 * server, and the credential in a private folder.
 *
 * The credential is a file that only this user can read. It is in memory if the system has a folder
 * for that, and is deleted at the end. Without an agent, ssh accepts a key only as a file. A token
 * is passed in the same way, because command lines and environments are visible in `ps` and crash
 * reports, and a pipe can be read only once, while Git asks for the token for each connection.
 */
import {
  constants,
  copyFile,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnectProxy, type ProxyFailure } from '@octavo/outbound'
import { tunnelCommand } from '../sandbox/relay-command.ts'
import type { GitCredential } from './git.ts'
import type { GitAddress } from './git-address.ts'
import { printSshSettings, quoteForShell } from './ssh-settings.ts'

export type GitSession = {
  readonly settings: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  readonly proxySocket: string
  readonly proxyFailure: () => ProxyFailure | undefined
  readonly close: () => Promise<void>
}

export type GitSessionOptions = {
  readonly address: GitAddress
  readonly credential: GitCredential
  readonly allowPrivateHosts: readonly string[]
  readonly bytesMax: number
  /** The file with known host keys; without it, host keys are not remembered. */
  readonly knownHosts: string | undefined
}

const CONNECT_MS_MAX = 20_000
/**
 * The longest time without data. A server may count objects for minutes before it sends a large
 * repository.
 */
const SILENCE_MS_MAX = 300_000
const CONNECTIONS_MAX = 8
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 2 ** 20
const KNOWN_HOSTS_BYTES_MAX = 2 ** 16

export async function openGitSession(options: GitSessionOptions): Promise<GitSession> {
  const { address, credential, allowPrivateHosts, bytesMax, knownHosts } = options
  const folder = await mkdtemp(join(await privateParent(), `${FOLDER_START}${process.pid}-`))
  const inside = (name: string) => join(folder, name)
  const proxySocket = inside('proxy.sock')
  try {
    const tunnel = tunnelCommand(proxySocket)
    await writeCredential(inside, credential)
    if (address.protocol === 'ssh') {
      if (knownHosts !== undefined) await copyFile(knownHosts, inside('known_hosts')).catch(noFile)
      const text = printSshSettings({ folder, proxyCommand: tunnel.command })
      await writeFile(inside('ssh_config'), text, { mode: 0o600 })
    }
    const proxy = await openConnectProxy({
      socketPath: proxySocket,
      targets: [{ host: address.host, port: address.port }],
      allowPrivateHosts,
      limits: {
        bytesMax,
        connectMsMax: CONNECT_MS_MAX,
        silenceMsMax: SILENCE_MS_MAX,
        connectionsMax: CONNECTIONS_MAX,
      },
    })
    return {
      settings: credential.kind === 'token' ? [`credential.helper=${HELPER}`] : [],
      environment: {
        GIT_ALLOW_PROTOCOL: 'https:http:ssh',
        GIT_SSH_COMMAND: `ssh -F ${quoteForShell(inside('ssh_config'))}`,
        GIT_SSH_VARIANT: 'ssh',
        HOME: folder,
        TMPDIR: folder,
        [CREDENTIAL_FILE]: inside('credential'),
      },
      readable: tunnel.readable,
      writable: [folder],
      proxySocket,
      proxyFailure: proxy.failure,
      close: async () => {
        await proxy.close()
        if (knownHosts !== undefined) await keepKnownHosts(inside('known_hosts'), knownHosts)
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Deletes credentials left by processes that were killed before they could delete them. */
export async function removeStaleSessions(): Promise<void> {
  const parent = await privateParent()
  for (const name of await readdir(parent)) {
    const [, id] = STALE_FOLDER.exec(name) ?? []
    if (id === undefined || isRunning(Number(id))) continue
    // Ignores errors, because the folders of other users cannot be deleted.
    await rm(join(parent, name), { recursive: true, force: true }).catch(noFile)
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const FOLDER_START = 'octavo-git-'
const STALE_FOLDER = /^octavo-git-(\d+)-/
const CREDENTIAL_FILE = 'OCTAVO_GIT_CREDENTIAL_FILE'
/**
 * A credential helper that prints the credential file. Git runs it in a shell, with the operation
 * as the last argument.
 */
const HELPER = `!f() { test "$1" = get && cat "$${CREDENTIAL_FILE}"; }; f`

async function writeCredential(
  inside: (name: string) => string,
  credential: GitCredential,
): Promise<void> {
  if (credential.kind === 'none') return
  const isToken = credential.kind === 'token'
  const text = isToken
    ? `username=${oneLine(credential.username)}\npassword=${oneLine(credential.token)}\n`
    : // ssh rejects a key without a line break at its end.
      `${credential.privateKey.trim()}\n`
  await writeFile(inside(isToken ? 'credential' : 'key'), text, { mode: 0o600, flag: 'wx' })
}

/** Removes line breaks and NUL, because a line break would start another value. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, '')
}

/**
 * Stores the keys of hosts that were seen for the first time. From then on, ssh requires these
 * keys.
 */
async function keepKnownHosts(from: string, to: string): Promise<void> {
  const seen = await readSmallFile(from).catch(noFile)
  const before = await readFile(to, 'utf8').catch(noFile)
  if (seen === undefined || seen === before) return
  const next = `${to}.${process.pid}.next`
  await writeFile(next, seen, { mode: 0o600 })
  await rename(next, to)
}

/**
 * Reads a small file without following symbolic links, because a process that talks to untrusted
 * servers can write to its folder.
 */
async function readSmallFile(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    const isSmall = stats.isFile() && stats.size <= KNOWN_HOSTS_BYTES_MAX
    return isSmall ? await file.readFile('utf8') : undefined
  } finally {
    await file.close()
  }
}

function noFile(): undefined {
  return undefined
}

async function privateParent(): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).catch(noFile)
  const hasRoom = room !== undefined && room.bavail * room.bsize > MEMORY_BYTES_MIN
  return hasRoom && process.platform === 'linux' ? MEMORY_FOLDER : tmpdir()
}
