/**
 * Starts HAProxy with the configuration that the repository ships, in front of two cells on this
 * machine.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../packages/service/testing/start-postgres.ts'

const RECIPE = join(import.meta.dirname, '../../deploy/haproxy')
const START_MS_MAX = 30_000
const PAUSE_MS = 100
const SOCKET_FILE = 'admin.sock'

export type CellPorts = {
  readonly api: readonly number[]
  readonly sites: readonly number[]
}

export type Edge = {
  readonly port: number
  /** Routes host names to a cell, with the script in the repository. */
  readonly setCell: (routes: readonly string[], cell: string) => Promise<void>
  readonly stop: () => Promise<void>
}

export type EdgeOptions = {
  /** Additional lines for sections of the configuration. */
  readonly global?: readonly string[]
  readonly frontend?: readonly string[]
  /** Called with every line that HAProxy writes. */
  readonly onLine?: (line: string) => void
}

export async function startEdge(
  folder: string,
  cells: readonly CellPorts[],
  options: EdgeOptions = {},
): Promise<Edge> {
  const port = await freePort()
  const map = join(folder, 'cells.map')
  const socket = join(folder, SOCKET_FILE)
  writeFileSync(map, '')
  const config = join(folder, 'haproxy.cfg')
  const text = configOf({ port, map, socket, cells })
  const indent = (lines: readonly string[] = []) => lines.map((line) => `  ${line}\n`).join('')
  writeFileSync(
    config,
    text
      .replace(/^global\n/m, (head) => head + indent(options.global))
      .replace(/^frontend edge\n/m, (head) => head + indent(options.frontend)),
  )
  const { onLine } = options
  const child = spawn('haproxy', ['-db', '-f', config], {
    stdio: ['ignore', onLine === undefined ? 'ignore' : 'pipe', 'inherit'],
  })
  if (child.stdout !== null && onLine !== undefined)
    createInterface({ input: child.stdout.setEncoding('latin1') }).on('line', onLine)
  const env = { ...process.env, MAP: map, SOCKET: socket }
  await waitFor(child, socket)
  return {
    port,
    setCell: async (routes, cell) => {
      const running = promisify(execFile)(join(RECIPE, 'set-cell.sh'), [cell], { env })
      running.child.stdin?.end(`${routes.join('\n')}\n`)
      await running
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

type ConfigFacts = {
  readonly port: number
  readonly map: string
  readonly socket: string
  readonly cells: readonly CellPorts[]
}

/** Returns the shipped configuration with local addresses, without TLS and health checks. */
function configOf({ port, map, socket, cells }: ConfigFacts): string {
  const server = /^ {2}server (api|host)-(\d) 10\.0\.(\d)\.\d+:8080 check port 9080\n/gm
  return readFileSync(join(RECIPE, 'haproxy.cfg'), 'utf8')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace('X-Forwarded-Proto https', 'X-Forwarded-Proto http')
    .replaceAll('/etc/haproxy/cells.map', map)
    .replace('/run/haproxy/admin.sock', socket)
    .replaceAll(/octavo-\d\.example\.com/g, '127.0.0.1')
    .replaceAll(/ {2}option httpchk.*\n/g, '')
    .replaceAll(server, (_, kind: string, number: string, cell: string) => {
      const ports = cells[Number(cell) - 1]
      const own = (kind === 'api' ? ports?.api : ports?.sites)?.[Number(number) - 1]
      return own === undefined ? '' : `  server ${kind}-${number} 127.0.0.1:${own}\n`
    })
}

async function waitFor(child: ChildProcess, socket: string): Promise<void> {
  const end = performance.now() + START_MS_MAX
  for (;;) {
    const isUp = await promisify(execFile)('socat', ['-', `UNIX-CONNECT:${socket}`]).then(
      () => true,
      () => false,
    )
    if (isUp) return
    if (child.exitCode !== null || performance.now() > end) throw new Error('HAProxy did not start')
    await sleep(PAUSE_MS)
  }
}
