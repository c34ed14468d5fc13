/** Finds PostgreSQL on this machine: installed, in an npm package, or downloaded now. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { fetchPostgres } from './fetch-postgres.ts'
import { findPackage, PROGRAMS, preparePackage } from './packaged-postgres.ts'
import { pinnedPostgres } from './pinned-postgres.ts'

export type FindOptions = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * A folder that other users can traverse but not list. If root starts the demo, PostgreSQL runs
   * as a different user.
   */
  readonly folder: string
  /** Announces a download. */
  readonly announce: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

const VERSION_MIN = 15
const VERSION_MS_MAX = 10_000
const run = promisify(execFile)

/** Where distributions and installers put PostgreSQL; a pattern may match several versions. */
const PLACES: readonly (readonly [folder: string, name: RegExp, below: string])[] = [
  ['/usr/lib/postgresql', /^\d+$/, 'bin'],
  ['/usr', /^pgsql-\d+$/, 'bin'],
  ['/opt/homebrew/opt', /^postgresql@\d+$/, 'bin'],
  ['/usr/local/opt', /^postgresql@\d+$/, 'bin'],
  ['/Applications/Postgres.app/Contents/Versions', /^\d+$/, 'bin'],
]

/** Returns the folder with initdb and postgres, version 15 or newer. */
export async function findPostgres(options: FindOptions): Promise<string> {
  for (const folder of foldersOf(options.environment))
    if ((await versionIn(folder)) >= VERSION_MIN) return folder
  const { platform, arch } = process
  const pinned = pinnedPostgres(platform, arch)
  if (pinned === undefined)
    throw new Error(
      `PostgreSQL ${VERSION_MIN} or newer was not found, and there is no package for ${platform}-${arch}. Install PostgreSQL; initdb and postgres have to be on the PATH.`,
    )
  const found = findPackage(pinned) ?? (await fetchPostgres(pinned, options))
  return preparePackage(found, join(options.folder, 'postgres'))
}

/** Returns the folders on the PATH, then the known folders, newest version first. */
function foldersOf({ PATH = '' }: FindOptions['environment']): readonly string[] {
  const onPath = PATH.split(delimiter)
    .filter((folder) => folder.startsWith('/') && existsSync(join(folder, 'initdb')))
    .flatMap((folder) => [folder, dirname(realpathSync(join(folder, 'initdb')))])
  const known = PLACES.flatMap(([folder, name, below]) =>
    namesIn(folder)
      .filter((found) => name.test(found))
      .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
      .map((found) => join(folder, found, below)),
  )
  return [...new Set([...onPath, ...known])].filter((folder) =>
    PROGRAMS.every((program) => existsSync(join(folder, program))),
  )
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns the major version, parsed from `postgres (PostgreSQL) 17.2`; 0 if it is unknown. */
async function versionIn(folder: string): Promise<number> {
  const result = run(join(folder, 'postgres'), ['--version'], { timeout: VERSION_MS_MAX })
  const { stdout } = await result.catch(() => ({ stdout: '' }))
  return Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0)
}
