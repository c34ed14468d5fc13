/** The `.octavo` folder in a documentation folder, for files that commands can recreate. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the path of a subfolder. Everything in `.octavo` is git-ignored except skills, which
 * authors write.
 */
export function workFolder(folder: string, part: 'answers' | 'cache' | 'deploy' | 'dev'): string {
  const own = join(folder, '.octavo')
  try {
    if (!existsSync(own)) mkdirSync(own)
    const ignore = join(own, '.gitignore')
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n!skills/\n!skills/**\n')
  } catch {
    // If the folder is read-only, the code that writes files into it reports the error.
  }
  return join(own, part)
}

/**
 * Removes everything that can be compiled again. Copies of hosted specifications are kept because
 * their hosts can be down.
 */
export function clearCache(folder: string): void {
  const cache = workFolder(folder, 'cache')
  if (!existsSync(cache)) return
  for (const name of readdirSync(cache)) {
    if (name !== 'specifications') rmSync(join(cache, name), { recursive: true, force: true })
  }
}
