/**
 * Manages a worker's files on disk, below `OCTAVO_WORK_FOLDER`. Each project has its own folder,
 * and no build ever sees another project's files. All of the files can be recreated.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'

export type ProjectFolders = {
  /** The files of a commit, written by Git. */
  readonly source: string
  readonly output: string
  readonly cache: string
  readonly temporary: string
  /** Removes files that no later build needs. */
  readonly clean: () => void
}

export type WorkFolder = ReturnType<typeof openWorkFolder>

const KEEP_MS = 7 * 24 * 3_600_000
const PROJECT = /^\d+$/
/** Compiled scripts of pages, which `warmBuilder` creates once for all sites. */
const SHARED_SCRIPTS = /^scripts-[\da-f]{16}\.json$/

export function openWorkFolder(root: string, version: string) {
  const projects = join(root, 'projects')
  // Each version of the builder has its own compiled code.
  const warm = join(
    root,
    'builder',
    createHash('sha256').update(version).digest('hex').slice(0, 16),
  )
  const code = join(warm, 'code')
  mkdirSync(projects, { recursive: true, mode: 0o700 })

  return {
    code,
    warm,

    /** Opens the folders of a project. Builds of a project run one at a time. */
    open(projectId: string, now: number): ProjectFolders {
      if (!PROJECT.test(projectId)) throw new Error('the project id is malformed')
      const own = join(projects, projectId)
      const folders = folderNames(own)
      mkdirSync(own, { recursive: true, mode: 0o700 })
      utimesSync(own, new Date(now), new Date(now))
      const clean = () => {
        for (const folder of [folders.source, folders.temporary])
          rmSync(folder, { recursive: true, force: true })
      }
      clean()
      for (const folder of [folders.output, folders.cache, folders.temporary])
        mkdirSync(folder, { recursive: true })
      return { ...folders, clean }
    },

    /** Creates a temporary copy for a build of a fork, which must not affect later builds. */
    openCopy(folders: ProjectFolders): ProjectFolders {
      const own = join(folders.temporary, 'fork')
      const copies = folderNames(own)
      for (const folder of [copies.output, copies.temporary]) mkdirSync(folder, { recursive: true })
      cpSync(folders.cache, copies.cache, { recursive: true })
      return { ...copies, source: folders.source, clean: folders.clean }
    },

    /** Copies the compiled scripts that all sites share into a project's cache. */
    addSharedScripts({ cache }: ProjectFolders): void {
      const shared = join(warm, 'cache')
      if (!existsSync(shared)) return
      for (const name of readdirSync(shared)) {
        const isPresent = lstatSync(join(cache, name), { throwIfNoEntry: false }) !== undefined
        if (SHARED_SCRIPTS.test(name) && !isPresent) cpSync(join(shared, name), join(cache, name))
      }
    },

    /** Removes the folders of projects without a build in the last week. */
    removeOld(now: number): void {
      for (const name of readdirSync(projects)) {
        const folder = join(projects, name)
        const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now
        if (now - changed > KEEP_MS) rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

const folderNames = (own: string) => ({
  source: join(own, 'source'),
  output: join(own, 'output'),
  cache: join(own, 'cache'),
  temporary: join(own, 'tmp'),
})
