import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { freePort } from '../../../packages/service/testing/start-postgres.ts'

export type GitProcess = {
  /** The base URL of the repositories. */
  readonly url: string
  readonly pid: () => number
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
}

type GitProcessOptions = {
  readonly root: string
  /** The JSON file with the token of each repository by name. */
  readonly tokensFile: string
  readonly onLine: (line: string) => void
}

const SERVER = join(import.meta.dirname, 'serve-git.ts')
const START_MS_MAX = 120_000

export async function startGitProcess(options: GitProcessOptions): Promise<GitProcess> {
  const port = await freePort()
  let child: ChildProcess | undefined

  async function restart(): Promise<void> {
    const args = ['--no-warnings', SERVER, options.root, String(port), options.tokensFile]
    const started = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    started.stderr.on('data', (bytes: Buffer) => options.onLine(bytes.toString('utf8')))
    await once(started.stdout, 'data', { signal: AbortSignal.timeout(START_MS_MAX) })
  }

  await restart()
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    restart,
    async kill() {
      const running = child
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
    },
  }
}
