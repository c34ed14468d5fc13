#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import process from 'node:process'
import { systemClock } from './context/system-clock.ts'

// Most of a short run is reading our own code; what was compiled before is used again.
enableCompileCache()
const { run } = await import('./run.ts')

// A reader that has seen enough (`octavo check | head`) closes the pipe; that is no mistake.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const { NO_COLOR, FORCE_COLOR, OCTAVO_API_KEY, OCTAVO_EDITOR, VISUAL, EDITOR } = process.env
process.exitCode = await run({
  args: process.argv.slice(2),
  cwd: process.cwd(),
  env: { NO_COLOR, FORCE_COLOR, OCTAVO_API_KEY, OCTAVO_EDITOR, VISUAL, EDITOR },
  clock: systemClock,
  out: process.stdout,
  err: process.stderr,
  waitForSignal: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => resolve())
    }),
  onInput: (listener) => {
    const { stdin } = process
    // Nobody is at the other end, or the command runs in the background: then nothing is typed.
    stdin.on('error', () => {})
    stdin.setEncoding('utf8').on('data', listener)
    return () => stdin.destroy()
  },
})
