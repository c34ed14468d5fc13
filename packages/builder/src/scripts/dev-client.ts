/**
 * Returns the script that `octavo dev` adds to pages. The script is compiled or comes from the
 * cache.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptCache } from './load-scripts.ts'

export async function loadDevClient({ cacheFolder, version }: ScriptCache): Promise<string> {
  const file = join(cacheFolder, `dev-client-${version.slice(0, 16)}.js`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The script of this version is not cached yet.
  }
  const { compileDevClient } = await import('./compile-scripts.ts')
  const code = await compileDevClient()
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(`${file}.${process.pid}`, code)
  renameSync(`${file}.${process.pid}`, file)
  return code
}
