#!/usr/bin/env node
import process from 'node:process'
import { run } from './run.ts'

process.exitCode = run({
  args: process.argv.slice(2),
  cwd: process.cwd(),
  env: { NO_COLOR: process.env.NO_COLOR, FORCE_COLOR: process.env.FORCE_COLOR },
  out: process.stdout,
  err: process.stderr,
})
