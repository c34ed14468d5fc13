#!/usr/bin/env node
/** `npm create octavo`: runs `octavo init` of the same version with the same arguments. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const octavo = fileURLToPath(new URL('./lib/main.js', import.meta.resolve('octavo/package.json')))
const { status } = spawnSync(process.execPath, [octavo, 'init', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
