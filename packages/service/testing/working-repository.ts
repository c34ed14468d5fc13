/** A repository with a working tree, like an author's. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type WorkingRepository = {
  readonly folder: string
  /** Writes files and commits them; undefined removes a file. Returns the id of the commit. */
  readonly commit: (
    files: Readonly<Record<string, string | undefined>>,
    options?: { readonly message?: string; readonly branch?: string },
  ) => string
  /** Creates a ref for a commit, such as `refs/pull/7/head`. */
  readonly name: (ref: string, commit: string) => void
}

export function createWorkingRepository(folder: string): WorkingRepository {
  mkdirSync(folder, { recursive: true })
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  git('init', '--quiet', '-b', 'main')
  git('config', 'user.name', 'Author')
  git('config', 'user.email', 'author@example.com')
  return {
    folder,
    name: (ref, commit) => git('update-ref', ref, commit),
    commit(files, { message = 'Change', branch = 'main' } = {}) {
      const hasBranch = git('branch', '--list', branch) !== ''
      const isUnborn = git('branch', '--list') === ''
      if (hasBranch) git('checkout', '--quiet', branch)
      else if (!isUnborn) git('checkout', '--quiet', '-b', branch)
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, path)
        if (text === undefined) {
          rmSync(file, { force: true })
          continue
        }
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
      git('add', '-A')
      git('commit', '--quiet', '--allow-empty', '-m', message)
      return git('rev-parse', 'HEAD')
    },
  }
}
