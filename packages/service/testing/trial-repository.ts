/**
 * A bare repository on a test server. It is written without a working tree, so that files can have
 * any name and mode.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export type TrialRepository = {
  readonly path: string
  /** Commits exactly these files to a branch. Returns the id of the commit. */
  readonly commit: (files: TrialFiles, options?: TrialCommit) => string
  readonly git: (args: readonly string[], input?: string | Buffer) => string
}

/** Maps a path to its content, or to an entry with a different mode. */
type TrialFiles = Readonly<Record<string, string | Buffer | TrialEntry>>

type TrialEntry = { readonly mode: string; readonly content: string }

type TrialCommit = {
  /** The name of the branch; `main` by default. */
  readonly branch?: string
  readonly message?: string
  /**
   * The time of the commit in seconds. By default, each commit is one minute later than the
   * previous one.
   */
  readonly at?: number
  /** Whether the commit starts a new history without parents. */
  readonly isOrphan?: boolean
  readonly parents?: readonly string[]
}

const FIRST_AT = 1_700_000_000

export function createTrialRepository(root: string, name: string): TrialRepository {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  let count = 0
  const git: TrialRepository['git'] = (args, input) =>
    execFileSync('git', ['--git-dir', path, ...args], {
      ...(input !== undefined && { input }),
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    }).trim()
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', path])
  const commit: TrialRepository['commit'] = (files, options = {}) => {
    const { branch = 'main', message = `Commit ${count}`, isOrphan = false } = options
    count += 1
    const at = options.at ?? FIRST_AT + count * 60
    const parts: (string | Buffer)[] = [
      `commit refs/heads/${branch}\n`,
      `author Ada Lovelace <ada@example.com> ${at} +0200\n`,
      `committer Grace Hopper <grace@example.com> ${at} +0200\n`,
      `data ${Buffer.byteLength(message)}\n${message}\n`,
    ]
    const tip = git(['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`])
    const parents = options.parents ?? (isOrphan || tip === '' ? [] : [tip])
    parts.push(...parents.map((parent, index) => `${index === 0 ? 'from' : 'merge'} ${parent}\n`))
    parts.push('deleteall\n')
    for (const [file, entry] of Object.entries(files)) {
      const { mode, content } =
        typeof entry === 'string' || Buffer.isBuffer(entry)
          ? { mode: '100644', content: entry }
          : entry
      const quoted = `"${file.replace(/["\\\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`
      if (mode === '160000') parts.push(`M 160000 ${content} ${quoted}\n`)
      else {
        const bytes = Buffer.from(content)
        parts.push(`M ${mode} inline ${quoted}\ndata ${bytes.length}\n`, bytes, '\n')
      }
    }
    const input = Buffer.concat(parts.map((part) => Buffer.from(part)))
    git(['fast-import', '--quiet', '--force', '--date-format=raw'], input)
    return git(['rev-parse', `refs/heads/${branch}`])
  }
  return { path, git, commit }
}
