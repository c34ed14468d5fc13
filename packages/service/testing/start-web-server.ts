/** Starts nginx, Caddy or Varnish from Debian's packages, with the configuration of a test. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type WebServer = {
  /** Returns the error output of the server. */
  readonly log: () => string
  readonly stop: () => Promise<void>
}

const ATTEMPTS_MAX = 200
const PAUSE_MS = 50

type Start = {
  /** The port that the server must listen on. */
  readonly port: number
  /** The address that the server listens on; 127.0.0.1 by default. */
  readonly address?: string
  readonly configuration: string
}

export function hasProgram(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts nginx. `configuration` is the content of `http { … }`. */
export function startNginx({ port, configuration }: Start): Promise<WebServer> {
  return start({ port }, (folder) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n')
    const file = join(folder, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off;\nmaster_process off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${configuration}}\n`,
    )
    return spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  })
}

/** Starts Caddy. `options` are added to the global options block. */
export function startCaddy({
  port,
  address,
  configuration,
  options = '',
}: Start & { readonly options?: string }): Promise<WebServer> {
  return start({ port, address }, (folder) => {
    const file = join(folder, 'Caddyfile')
    const global = `{\n\tadmin off\n\tstorage file_system ${folder}/storage\n${options}`
    const text = /^\{$/m.test(configuration)
      ? configuration.replace(/^\{$/m, global)
      : `${global}}\n${configuration}`
    writeFileSync(file, text)
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  })
}

export function startVarnish({ port, configuration }: Start): Promise<WebServer> {
  return start({ port }, (folder) => {
    // The child process of Varnish runs as another user, who must be able to read the folder.
    chmodSync(folder, 0o755)
    const file = join(folder, 'varnish.vcl')
    writeFileSync(file, configuration)
    const args = ['-F', '-f', file, '-a', `127.0.0.1:${port}`, '-n', folder, '-s', 'malloc,16m']
    return spawn('varnishd', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  })
}

type Place = { readonly port: number; readonly address?: string | undefined }

async function start(
  { port, address }: Place,
  launch: (folder: string) => ChildProcess,
): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-web-server-'))
  const child = launch(folder)
  let log = ''
  child.stderr?.on('data', (text) => {
    log += text
  })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilListening(port, child, address)
  } catch (error) {
    await stop()
    throw new Error(`it does not listen: ${log}`, { cause: error })
  }
  return { log: () => log, stop }
}

/** Waits until the port accepts connections. Fails if the program exits before that. */
export async function untilListening(
  port: number,
  child: ChildProcess,
  address = '127.0.0.1',
): Promise<void> {
  for (let tried = 0; tried < ATTEMPTS_MAX && child.exitCode === null; tried += 1) {
    const exists = await new Promise<boolean>((resolve) => {
      const socket = connect(port, address)
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('close', () => resolve(false))
      socket.once('connect', () => socket.end())
    })
    if (exists) return
    await sleep(PAUSE_MS)
  }
  throw new Error(`nobody listens at ${port}`)
}
