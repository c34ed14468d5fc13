/** Schemas of earlier commits, read from Git. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** The first commit of the tables that all later versions migrate. */
export const FOUNDATION = '1c00350c'

const ROOT = join(import.meta.dirname, '../..')
const DATABASE = 'packages/service/src/database'
const FOLDERS = ['migrations', 'functions'] as const
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024

export type SchemaSource = {
  readonly name: string
  readonly text: string
  readonly checksum: string
}

export type EarlierSchema = {
  readonly commit: string
  readonly subject: string
  /** Migrations, then functions, as they were run. */
  readonly files: readonly SchemaSource[]
}

/** Runs Git in this repository, and says what to do where a shallow clone lacks the commit. */
export function git(...args: readonly string[]): Buffer {
  return execFileSync('git', args, {
    cwd: ROOT,
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export function findCommit(revision: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).toString().trim()
  } catch {
    throw new Error(
      `The commit ${revision} is not in this clone. If the clone is shallow, run \`git fetch --unshallow\`.`,
    )
  }
}

/** Every schema from the foundation on that is different from all before it, oldest first. */
export function readEarlierSchemas(): readonly EarlierSchema[] {
  const first = findCommit(FOUNDATION)
  const paths = FOLDERS.map((folder) => `${DATABASE}/${folder}`)
  const commits = git('rev-list', '--reverse', '--date-order', `${first}..HEAD`, '--', ...paths)
  const seen = new Set<string>()
  const blobs = new Map<string, string>()
  const readBlob = (id: string) => {
    const text = blobs.get(id) ?? git('cat-file', 'blob', id).toString()
    blobs.set(id, text)
    return text
  }
  return [first, ...commits.toString().trim().split('\n')].flatMap((commit) => {
    const listing = git('ls-tree', '-r', commit, '--', ...paths).toString()
    if (seen.has(listing)) return []
    seen.add(listing)
    const subject = git('log', '-1', '--format=%s', commit).toString().trim()
    return [{ commit, subject, files: readFiles(listing, readBlob) }]
  })
}

function readFiles(listing: string, readBlob: (id: string) => string): readonly SchemaSource[] {
  const files = listing
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, , blob = '', path = ''] = line.split(/\s+/)
      const name = path.slice(DATABASE.length + 1)
      if (!name.endsWith('.sql')) return []
      const text = readBlob(blob)
      return [{ name, text, checksum: createHash('sha256').update(text).digest('hex') }]
    })
  return FOLDERS.flatMap((folder) => files.filter(({ name }) => name.startsWith(`${folder}/`)))
}
