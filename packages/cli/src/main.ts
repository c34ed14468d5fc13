#!/usr/bin/env node
import process from 'node:process'
import { run } from './run.ts'

// A reader that has seen enough (`octavo check | head`) closes the pipe; that is no mistake.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = run({
  args: process.argv.slice(2),
  cwd: process.cwd(),
  env: { NO_COLOR: process.env.NO_COLOR, FORCE_COLOR: process.env.FORCE_COLOR },
  out: process.stdout,
  err: process.stderr,
})
