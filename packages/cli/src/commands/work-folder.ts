/** `.octavo` in a documentation folder: what a command keeps there and can make again. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The path of a part of it. Git is told to leave it out, but for skills, which authors write. */
export function workFolder(folder: string, part: 'answers' | 'cache' | 'deploy' | 'dev'): string {
  const own = join(folder, '.octavo')
  try {
    if (!existsSync(own)) mkdirSync(own)
    const ignore = join(own, '.gitignore')
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n!skills/\n!skills/**\n')
  } catch {
    // A folder that cannot be written to; who writes there says so.
  }
  return join(own, part)
}

/** Removes what can be compiled again. Copies of hosted specifications stay: their hosts may be down. */
export function clearCache(folder: string): void {
  const cache = workFolder(folder, 'cache')
  if (!existsSync(cache)) return
  for (const name of readdirSync(cache)) {
    if (name !== 'specifications') rmSync(join(cache, name), { recursive: true, force: true })
  }
}
