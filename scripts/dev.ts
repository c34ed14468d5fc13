/**
 * Starts what there is to develop with. Today: checks the documentation folder (docs/ by default)
 * again whenever a file in it changes. It grows with the product.
 */
import { spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = process.argv[2] ?? join(root, 'docs')
const main = join(root, 'packages/cli/src/main.ts')

function check(): void {
  console.clear()
  spawnSync(process.execPath, [main, 'check', folder], { stdio: 'inherit' })
  console.log(`\nWatching ${folder}. Ctrl+C stops.`)
}

/** Editors write a file in several steps; one check is enough for all of them. */
const SETTLE_MS = 80
let timer: NodeJS.Timeout | undefined
check()
watch(folder, { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(check, SETTLE_MS)
})
