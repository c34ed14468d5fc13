/** A Git server over SSH on loopback: a real `sshd` that runs as the user of the tests. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type SshServer = {
  readonly port: number
  readonly user: string
  /** Sets the public keys that may sign in, in the format of `ssh-keygen`. */
  readonly authorize: (publicKeys: readonly string[]) => void
  /** Restarts the server with a different host key. */
  readonly changeHostKey: () => Promise<void>
  readonly close: () => void
}

export type SshKey = { readonly privateKey: string; readonly publicKey: string }

export function createSshKey(folder: string, name: string): SshKey {
  const path = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path])
  return {
    privateKey: readFileSync(path, 'utf8'),
    publicKey: readFileSync(`${path}.pub`, 'utf8'),
  }
}

const START_MS_MAX = 10_000

/** Starts the server. `folder` must be readable only by its owner, as sshd requires. */
export async function startSshServer(folder: string): Promise<SshServer> {
  mkdirSync(folder, { mode: 0o700 })
  // sshd needs this folder for privilege separation. It may not exist if sshd was never started.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const port = await freePort()
  const hostKey = join(folder, 'host_key')
  const authorizedKeys = join(folder, 'authorized_keys')
  createSshKey(folder, 'host_key')
  createSshKey(folder, 'other_host_key')
  writeFileSync(authorizedKeys, '', { mode: 0o600 })
  const config = join(folder, 'sshd_config')
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${authorizedKeys}`,
    `PidFile none`,
    'AcceptEnv GIT_PROTOCOL',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
  ]
  writeFileSync(config, `${settings.join('\n')}\n`)
  const start = async () => {
    const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: 'ignore' })
    await untilListening(port)
    return server
  }
  let server = await start()
  return {
    port,
    user: userInfo().username,
    authorize: (keys) => writeFileSync(authorizedKeys, keys.join('')),
    changeHostKey: async () => {
      server.kill()
      await once(server, 'exit')
      rmSync(hostKey)
      copyFileSync(join(folder, 'other_host_key'), hostKey)
      server = await start()
    },
    close: () => server.kill(),
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function untilListening(port: number): Promise<void> {
  const end = Date.now() + START_MS_MAX
  while (Date.now() < end) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
  throw new Error('sshd does not listen')
}
