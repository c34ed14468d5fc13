/**
 * Runs one version of the service as processes: its commands, and a server that stops gracefully.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { freePort } from '../../../packages/service/testing/start-postgres.ts'

type CommandEnd = { readonly code: number; readonly text: string; readonly seconds: number }

export type RunningVersion = {
  readonly url: string
  /** Returns the status and text of `/readyz`. */
  readonly readiness: () => Promise<string>
  /** The error lines of the log. */
  readonly errors: readonly string[]
  /** Stops the server gracefully, after pending requests; resolves to the exit code. */
  readonly stop: () => Promise<number | null>
  readonly kill: () => void
}

export type ServiceVersion = {
  readonly run: (...args: readonly string[]) => Promise<CommandEnd>
  /** Starts the server; rejects with its output if it does not start. */
  readonly start: () => Promise<RunningVersion>
}

type Environment = Readonly<Record<string, string>>

export function serviceVersion(
  main: string,
  environment: Environment,
  role: string,
): ServiceVersion {
  const launch = (args: readonly string[], more: Environment = {}) =>
    spawn(process.execPath, ['--no-warnings', main, ...args], {
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    run: (...args) => runCommand(launch(args)),
    async start() {
      const [port, adminPort] = [await freePort(), await freePort()]
      const ports = { PORT: String(port), OCTAVO_ADMIN_PORT: String(adminPort) }
      const child = launch(['--role', role], ports)
      const errors: string[] = []
      await listening(child, errors)
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      return {
        url: `http://127.0.0.1:${port}`,
        errors,
        async readiness() {
          const reply = await fetch(`http://127.0.0.1:${adminPort}/readyz`)
          return `${reply.status} ${(await reply.text()).trim()}`
        },
        stop() {
          child.kill('SIGTERM')
          return ended
        },
        kill: () => void child.kill('SIGKILL'),
      }
    },
  }
}

function runCommand(child: ChildProcess): Promise<CommandEnd> {
  const started = performance.now()
  let text = ''
  child.stdout?.on('data', (part) => (text += part))
  child.stderr?.on('data', (part) => (text += part))
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const seconds = (performance.now() - started) / 1_000
      resolve({ code: code ?? -1, text: text.trim(), seconds })
    })
  })
}

function listening(child: ChildProcess, errors: string[]): Promise<void> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the service has no output')
  createInterface({ input: stderr }).on('line', (line) => errors.push(line))
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).on('line', (line) => {
      if (line.includes('"message":"listening"')) resolve()
      else if (/"level":"error"|failed/.test(line)) errors.push(line)
    })
    child.once('close', () => reject(new Error(errors.join('\n'))))
  })
}
