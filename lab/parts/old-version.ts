/**
 * Unpacks the sources of an earlier commit into a folder, to run with the packages installed here.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCommit, git } from './read-history.ts'

const ROOT = join(import.meta.dirname, '../..')
const OWN = '@octavo'

export type OldVersion = {
  readonly commit: string
  readonly folder: string
  /** The entry point of the `octavo-service` command in this version. */
  readonly main: string
  readonly remove: () => void
}

/**
 * Unpacks a version. `more` lists further files and folders to unpack besides `packages`, if the
 * commit has them.
 */
export function unpackVersion(revision: string, more: readonly string[] = []): OldVersion {
  const commit = findCommit(revision)
  const folder = mkdtempSync(join(tmpdir(), 'octavo-old-'))
  try {
    const there = git('ls-tree', '--name-only', commit).toString().split('\n')
    const wanted = more.filter((name) => there.includes(name))
    const archive = git('archive', commit, 'packages', ...wanted)
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    const packages = readdirSync(join(folder, 'packages'))
    for (const name of ['.', ...packages.map((one) => join('packages', one))])
      linkInstalled(join(ROOT, name, 'node_modules'), join(folder, name, 'node_modules'))
    // Our own packages are links to those of the commit, and not to the current ones.
    mkdirSync(join(folder, 'node_modules', OWN))
    for (const name of packages)
      symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules', OWN, name))
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  return {
    commit,
    folder,
    main: join(folder, 'packages/service/src/main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function linkInstalled(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const name of readdirSync(from))
    if (name !== OWN) symlinkSync(join(from, name), join(to, name))
}
