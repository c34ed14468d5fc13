/**
 * A bare repository in a temporary folder. Tests change it with the real `git`, and it is deleted
 * when the test ends.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Git, GitFailure, GitRefs } from '../src/platform/git/git.ts'

export type TestRepository = {
  readonly folder: string
  /**
   * Adds an empty commit to a branch and returns its id. Creates the branch if it does not exist.
   */
  readonly commit: (branch: string) => string
  readonly reset: (branch: string, commit: string) => void
  readonly remove: (branch: string) => void
  readonly rename: (from: string, to: string) => void
  readonly setDefault: (branch: string) => void
  /** Creates `count` branches at the last commit of another branch. */
  readonly branchMany: (from: string, count: number) => void
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
}
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

export function createTestRepository(): TestRepository {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-repository-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const git = (...args: readonly string[]) => run(['-C', folder, ...args])
  git('init', '--quiet', '--bare', '--initial-branch', 'main')
  git('hash-object', '-w', '-t', 'tree', '/dev/null')
  const refOf = (branch: string) => `refs/heads/${branch}`
  let count = 0

  function find(branch: string): string | undefined {
    try {
      return git('rev-parse', '--verify', '--quiet', refOf(branch))
    } catch {
      return undefined
    }
  }

  return {
    folder,
    commit: (branch) => {
      count += 1
      const parent = find(branch)
      const after = parent === undefined ? [] : ['-p', parent]
      const commit = git('commit-tree', EMPTY_TREE, ...after, '-m', `Change ${count}`)
      git('update-ref', refOf(branch), commit)
      return commit
    },
    reset: (branch, commit) => git('update-ref', refOf(branch), commit),
    remove: (branch) => git('update-ref', '-d', refOf(branch)),
    rename: (from, to) => git('branch', '-m', from, to),
    setDefault: (branch) => git('symbolic-ref', 'HEAD', refOf(branch)),
    branchMany: (from, many) => {
      const commit = find(from)
      const lines = Array.from({ length: many }, (_, n) => `create refs/heads/b${n} ${commit}\n`)
      execFileSync('git', ['-C', folder, 'update-ref', '--stdin'], { input: lines.join('') })
    },
  }
}

/** Implements `Git.listRefs` for a local folder. */
export const localGit = {
  listRefs: async (folder: string): Promise<GitRefs | GitFailure> => {
    const lines = run(['ls-remote', '--symref', folder, 'HEAD', 'refs/heads/*']).split('\n')
    const head = lines
      .map((line) => /^ref: refs\/heads\/(\S+)\tHEAD$/.exec(line)?.[1])
      .find(Boolean)
    const branches = lines.flatMap((line) => {
      const [, commit, name] = /^([\da-f]{40})\trefs\/heads\/(.+)$/.exec(line) ?? []
      return commit === undefined || name === undefined ? [] : [[name, commit] as const]
    })
    return { kind: 'refs', defaultBranch: head, branches: new Map(branches) }
  },
}

function run(args: readonly string[]): string {
  return execFileSync('git', args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...IDENTITY },
  }).trim()
}

/** The other functions of `Git`, for tests that do not clone. */
export const NO_CLONES: Omit<Git, 'listRefs'> = {
  findFiles: async () => ({ kind: 'files', paths: ['docs.json'] }),
  checkout: () => Promise.reject(new Error('nothing is cloned here')),
  changedPaths: async () => undefined,
  removeCache: async () => {},
  isolation: 'none',
}
