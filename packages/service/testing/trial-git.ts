/** Git as the service uses it, with a server on loopback that has repositories for tests. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  Checkout,
  CheckoutOptions,
  Git,
  GitFailure,
  GitRemote,
} from '../src/platform/git/git.ts'
import { type GitOptions, openGit } from '../src/platform/git/open-git.ts'
import { type GitServer, startGitServer } from './git-server.ts'
import { createTrialRepository, type TrialRepository } from './trial-repository.ts'

export type TrialGit = {
  readonly git: Git
  readonly server: GitServer
  /** A temporary folder that tests can use. It is deleted at the end. */
  readonly folder: string
  readonly newRepository: () => ServedRepository
  readonly checkOut: (
    repository: ServedRepository,
    commit: string,
    input?: Partial<CheckoutOptions>,
  ) => Promise<TrialCheckout>
  readonly close: () => void
}

export type ServedRepository = TrialRepository & {
  readonly url: string
  readonly cacheKey: string
  /** The path of the cached clone. */
  readonly clone: string
}

type TrialCheckout = {
  readonly outcome: Checkout | GitFailure
  /** The sorted paths of all files that were checked out. */
  readonly files: readonly string[]
  readonly read: (path: string) => string
  readonly into: string
}

export async function openTrialGit(options: Partial<GitOptions> = {}): Promise<TrialGit> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-git-test-'))
  const root = join(folder, 'server')
  const caches = join(folder, 'caches')
  const server = await startGitServer(root)
  const git = await openGit({ folder: caches, allowPrivateHosts: ['127.0.0.1'], ...options })
  const { signal } = new AbortController()
  let count = 0
  return {
    git,
    server,
    folder,
    newRepository: () => {
      count += 1
      const cacheKey = `cache-${count}`
      return {
        ...createTrialRepository(root, `repository-${count}.git`),
        url: `${server.url}/repository-${count}.git`,
        cacheKey,
        clone: join(caches, cacheKey, 'repository.git'),
      }
    },
    checkOut: async ({ url, cacheKey }, commit, input = {}) => {
      count += 1
      const into = join(folder, `checkout-${count}`)
      const remote: GitRemote = { url, credential: { kind: 'none' } }
      const usual = { remote, cacheKey, ref: 'refs/heads/main', commit, folder: '', into }
      const outcome = await git.checkout({ ...usual, ...input }, signal)
      const read = (path: string) => readFileSync(join(into, path), 'utf8')
      return { outcome, into, read, files: listFiles(into) }
    },
    close: () => {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function listFiles(path: string): readonly string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort()
}
