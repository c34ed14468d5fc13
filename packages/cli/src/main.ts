#!/usr/bin/env node
// All of the module: an older Node refuses to start when a name that it lacks is imported.
import * as nodeModule from 'node:module'
import process from 'node:process'
import { nodeVersionProblem } from '@octavo/model/node-version'
import { systemClock } from './context/system-clock.ts'

const problem = nodeVersionProblem(process.versions.node)
if (problem === undefined) process.exitCode = await runCommand()
else {
  process.stderr.write(`octavo: ${problem}\n`)
  process.exitCode = 2
}

async function runCommand(): Promise<number> {
  // Most of a short run is reading our own code; what was compiled before is used again.
  nodeModule.enableCompileCache()
  const { resolveLocalhost } = await import('./context/resolve-localhost.ts')
  resolveLocalhost()
  const { run } = await import('./run.ts')

  // A reader that has seen enough (`octavo check | head`) closes the pipe; that is no mistake.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

  return run({
    args: process.argv.slice(2),
    cwd: process.cwd(),
    env: { NO_COLOR: undefined, FORCE_COLOR: undefined, ...process.env },
    clock: systemClock,
    out: process.stdout,
    err: process.stderr,
    waitForSignal: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
          process.once(signal, () => resolve())
      }),
    openPipes: () => ({ input: process.stdin, output: process.stdout }),
    ask: process.stdin.isTTY && process.stdout.isTTY ? ask : undefined,
    onInput: (listener) => {
      const { stdin } = process
      // Nobody is at the other end, or the command runs in the background: then nothing is typed.
      stdin.on('error', () => {})
      stdin.setEncoding('utf8').on('data', listener)
      return () => stdin.destroy()
    },
  })
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}
