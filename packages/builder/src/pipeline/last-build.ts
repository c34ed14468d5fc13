/**
 * Remembers the result of the last build into a folder. It is used again while everything that
 * decides it is unchanged: the builder, the options, the list of source files and their stamps, Git
 * if the site shows dates or links from it, and the names of all files in the output folder. Losing
 * it only costs time.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stampOfFile } from '../source/file-stamp.ts'
import { type FolderNames, hasNames, readFolderNames } from '../source/folder-names.ts'
import { gitRepository } from '../source/git-repository.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { BUILD_RECORD, type FolderTree, IGNORE_FILES } from '../source/read-folder.ts'
import { runGit } from '../source/run-git.ts'
import type { SourceState } from '../source/source-state.ts'
import type { BuildOptions } from './build-site.ts'
import type { BuildResult } from './build-tree.ts'

/** What a build read from Git. */
export type GitUses = { readonly repository: boolean; readonly history: boolean }

type Remembered = {
  readonly key: string
  readonly uses: GitUses
  /** A hash of what the build read from Git. */
  readonly git: string
  /** Texts that may change without getting another stamp, with the hash of what was built. */
  readonly recent: readonly (readonly [path: string, hash: string])[]
  /** The stamp of the record that every build replaces. */
  readonly record: string
  readonly outputs: FolderNames
  readonly result: BuildResult
}

/** Maximum number of texts that are read to find out whether they have changed. */
const RECENT_MAX = 100

type FreshFiles = Pick<SourceState, 'isReliable' | 'recentHash'>

export class LastBuild {
  readonly #source: FolderTree
  readonly #options: BuildOptions
  readonly #file: string
  /** The stamp of each file that may decide the result. */
  readonly #stamps: readonly (readonly [path: string, stamp: string])[]
  readonly #key: string
  #last: Remembered | undefined

  /** The stamps are taken here, before any file is read. */
  constructor(source: FolderTree, options: BuildOptions) {
    this.#source = source
    this.#options = options
    const { folder, output, cacheFolder, onProgress, fetcher, store, workersMax, ...other } =
      options
    this.#file = join(cacheFolder, `built-${hashBytes(output).slice(0, 16)}.json`)
    this.#stamps = [
      ...IGNORE_FILES.map((file) => [file, stampOfFile(join(folder, file))] as const),
      ...source.files.map((file) => [file, source.stampOf(file)] as const),
    ]
    const facts = [folder, output, other, this.#stamps]
    this.#key = hashBytes(JSON.stringify(facts))
  }

  /** Returns the result of the last build if a build now would have the same. */
  find(): BuildResult | undefined {
    const last = this.#read()
    this.#last = last
    if (last?.key !== this.#key || last.git !== this.#readGit(last.uses)) return undefined
    const { output } = this.#options
    if (last.record !== stampOfFile(join(output, BUILD_RECORD))) return undefined
    const isUnchanged = ([path, hash]: Remembered['recent'][number]) =>
      hashBytes(this.#source.read(path) ?? '') === hash
    if (!last.recent.every(isUnchanged)) return undefined
    if (!hasNames(output, last.outputs, statSync(this.#file).mtimeMs)) return undefined
    return { ...last.result, compiledCount: 0, writtenCount: 0, removedCount: 0 }
  }

  /** Remembers a result, unless a file may change without being noticed. */
  save(result: BuildResult, uses: GitUses, state: FreshFiles): void {
    if (!result.isLoaded || result.hasFailedPages) return
    const recent = this.#recentTexts(state)
    if (recent === undefined) return
    const { output } = this.#options
    const earlier = this.#last && { names: this.#last.outputs, atMs: statSync(this.#file).mtimeMs }
    const remembered: Remembered = {
      key: this.#key,
      uses,
      git: this.#readGit(uses),
      record: stampOfFile(join(output, BUILD_RECORD)),
      recent,
      outputs: readFolderNames(output, earlier),
      result,
    }
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      writeFileSync(`${this.#file}.${process.pid}`, JSON.stringify(remembered))
      renameSync(`${this.#file}.${process.pid}`, this.#file)
    } catch {
      // In a read-only folder, every build is a whole one.
    }
  }

  /**
   * Returns the texts that may change without getting another stamp, or undefined if the content of
   * such a file is not known.
   */
  #recentTexts(state: FreshFiles): Remembered['recent'] | undefined {
    const recent: [string, string][] = []
    for (const [path, stamp] of this.#stamps) {
      if (stamp === '' || state.isReliable(stamp)) continue
      const hash = state.recentHash(path)
      if (hash === undefined || recent.length >= RECENT_MAX) return undefined
      recent.push([path, hash])
    }
    return recent
  }

  #read(): Remembered | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Remembered
    } catch {
      return undefined
    }
  }

  #readGit({ repository, history }: GitUses): string {
    const { folder } = this.#options
    return hashBytes(
      repository ? (gitRepository(folder)()?.key ?? '') : '',
      history ? (runGit(folder, ['rev-parse', '--is-shallow-repository', 'HEAD']) ?? '') : '',
    )
  }
}
