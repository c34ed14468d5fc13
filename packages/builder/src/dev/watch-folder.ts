/**
 * Reports the paths in a folder that may have changed. On Linux each folder is watched separately,
 * because a recursive watch would need one watch per file; other systems watch the whole tree. If
 * the system cannot watch, files are polled.
 */
import { type FSWatcher, watch } from 'node:fs'
import { join, sep } from 'node:path'
import { readFolder } from '../source/read-folder.ts'

export type FolderWatch = {
  /** Updates the list of watched folders. */
  readonly follow: (folders: readonly string[]) => void
  readonly close: () => void
}

export type WatchOptions = {
  readonly root: string
  readonly onPaths: (paths: ReadonlySet<string>) => void
  /** Polling interval for tests, which then poll as if the system could not watch. */
  readonly pollMs?: number | undefined
}

/**
 * Changes are reported after a pause of this length: an editor saves in several steps, and a file
 * that is half written must not be read.
 */
const QUIET_MS = 6
/** Changes are reported after this time even if writing never pauses. */
const WAIT_MS_MAX = 150
const POLL_MS = 700

export function watchFolder(options: WatchOptions): FolderWatch {
  return new Watch(options)
}

class Watch implements FolderWatch {
  readonly #options: WatchOptions
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #isRecursive = process.platform === 'darwin' || process.platform === 'win32'
  #paths = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #waitingSince = 0
  #hasStarted = false

  constructor(options: WatchOptions) {
    this.#options = options
  }

  readonly follow = (folders: readonly string[]): void => {
    if (this.#poll !== undefined) return
    const wanted = new Set(this.#isRecursive ? [''] : folders)
    for (const folder of this.#watchers.keys()) if (!wanted.has(folder)) this.#drop(folder)
    for (const folder of wanted) {
      if (this.#watchers.has(folder)) continue
      if (this.#options.pollMs !== undefined || !this.#add(folder)) {
        this.#startPolling()
        return
      }
      // Reports the folder, because files may have been added since it was read.
      if (this.#hasStarted) this.#wait(folder)
    }
    this.#hasStarted = true
  }

  readonly close = (): void => {
    clearTimeout(this.#timer)
    clearInterval(this.#poll)
    for (const folder of this.#watchers.keys()) this.#drop(folder)
  }

  /** Watches a folder. Returns false if the system cannot watch any more folders. */
  #add(folder: string): boolean {
    try {
      const recursive = this.#isRecursive
      const watcher = watch(join(this.#options.root, folder), { recursive }, (_, name) => {
        if (name === null) return
        const path = name.split(sep).join('/')
        this.#recordChange(folder === '' ? path : `${folder}/${path}`)
      })
      watcher.on('error', () => this.#drop(folder))
      this.#watchers.set(folder, watcher)
      return true
    } catch (error) {
      // The folder was removed, which the watch on its parent folder reports.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
      return false
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  #recordChange(path: string): void {
    // A folder that was replaced by another one with the same name needs new watches, and so do its
    // subfolders.
    if (!this.#isRecursive && this.#watchers.has(path)) {
      for (const folder of this.#watchers.keys()) {
        if (folder === path || folder.startsWith(`${path}/`)) this.#drop(folder)
      }
    }
    this.#wait(path)
  }

  #wait(path: string): void {
    const now = performance.now()
    if (this.#paths.size === 0) this.#waitingSince = now
    this.#paths.add(path)
    clearTimeout(this.#timer)
    const wait = Math.min(QUIET_MS, Math.max(0, this.#waitingSince + WAIT_MS_MAX - now))
    this.#timer = setTimeout(() => this.#notify(), wait)
  }

  #notify(): void {
    const paths = this.#paths
    this.#paths = new Set()
    if (paths.size > 0) this.#options.onPaths(paths)
  }

  #startPolling(): void {
    for (const folder of this.#watchers.keys()) this.#drop(folder)
    let before = stampsOf(this.#options.root)
    this.#poll = setInterval(() => {
      const now = stampsOf(this.#options.root)
      for (const path of new Set([...before.keys(), ...now.keys()])) {
        if (before.get(path) !== now.get(path)) this.#wait(path)
      }
      before = now
    }, this.#options.pollMs ?? POLL_MS)
  }
}

function stampsOf(root: string): ReadonlyMap<string, string> {
  try {
    const tree = readFolder(root)
    return new Map(tree.files.map((file) => [file, tree.stampOf(file)]))
  } catch {
    // A folder was removed in the meantime, which the next poll reports.
    return new Map()
  }
}
