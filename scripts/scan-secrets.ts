/**
 * Searches tracked files for keys in the formats of common services. If it finds any, prints file,
 * line and kind, but never the key, and exits with 1.
 *
 *   npx node scripts/scan-secrets.ts [--history]     includes every version of every file in the history
 *
 * Tests need keys that look real. They are listed by hash in scripts/secrets/known-samples.ts, so
 * that each new one is reviewed once.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findSecrets } from './secrets/find-secrets.ts'

const FILE_BYTES_MAX = 5_000_000
const OUTPUT_BYTES_MAX = 2_000_000_000

const { values } = parseArgs({ options: { history: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')
const { count, found } = values.history ? scanHistory() : scanFiles()
for (const line of found) console.log(line)
console.log(`${count} ${values.history ? 'added lines' : 'files'}, ${found.length} keys`)
process.exitCode = found.length === 0 ? 0 : 1

function scanFiles() {
  const paths = filePaths()
  const found = paths.flatMap((path) => {
    const full = join(root, path)
    if (!statSync(full).isFile() || statSync(full).size > FILE_BYTES_MAX) return []
    return findSecrets(readFileSync(full, 'utf8')).map(
      ({ line, kind, hash }) => `${path}:${line}: ${kind} (${hash})`,
    )
  })
  return { count: paths.length, found }
}

/**
 * Returns the tracked files or, without a Git repository, every file that is not installed or
 * built.
 */
function filePaths(): readonly string[] {
  try {
    return git('ls-files', '-z').split('\0').filter(Boolean)
  } catch {
    const isOurs = (path: string) => !/(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(path)
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isOurs)
  }
}

/** Scans only the lines that each commit added. */
function scanHistory() {
  const log = git('log', '--all', '-p', '--unified=0', '--no-color', '--format=commit %h')
  let commit = ''
  let count = 0
  const found = new Set<string>()
  for (const line of log.split('\n')) {
    if (line.startsWith('commit ')) commit = line.slice(7)
    if (!line.startsWith('+') || line.startsWith('+++')) continue
    count += 1
    for (const { kind, hash } of findSecrets(line)) found.add(`${commit}: ${kind} (${hash})`)
  }
  return { count, found: [...found] }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', [...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  })
}
