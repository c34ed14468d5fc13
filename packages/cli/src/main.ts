#!/usr/bin/env node
// This is a namespace import because older versions of Node do not start if a named export is
// missing.
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
  // A short command spends most of its time on loading code, so compiled code is cached.
  nodeModule.enableCompileCache()
  const { resolveLocalhost } = await import('./context/resolve-localhost.ts')
  resolveLocalhost()
  const { run } = await import('./run.ts')

  // A closed pipe (`octavo check | head`) is not an error.
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
      // Reading fails if standard input is closed or the process runs in the background. In both
      // cases, there is no input.
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
