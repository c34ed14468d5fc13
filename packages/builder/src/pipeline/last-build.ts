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
import type { BuildOptions } from './build-site.ts'
import type { BuildResult } from './build-tree.ts'

/** What a build read from Git. */
export type GitUses = { readonly repository: boolean; readonly history: boolean }

type Remembered = {
  readonly key: string
  readonly uses: GitUses
  /** A hash of what the build read from Git. */
  readonly git: string
  /** The stamp of the record that every build replaces. */
  readonly record: string
  readonly outputs: FolderNames
  readonly result: BuildResult
}

export class LastBuild {
  readonly #options: BuildOptions
  readonly #file: string
  readonly #stamps: readonly string[]
  readonly #key: string

  /** The stamps are taken here, before any file is read. */
  constructor(source: FolderTree, options: BuildOptions) {
    this.#options = options
    const { folder, output, cacheFolder, onProgress, fetcher, store, workersMax, ...other } =
      options
    this.#file = join(cacheFolder, `built-${hashBytes(output).slice(0, 16)}.json`)
    this.#stamps = [
      ...IGNORE_FILES.map((file) => stampOfFile(join(folder, file))),
      ...source.files.map(source.stampOf),
    ]
    const facts = [folder, output, other, source.files, this.#stamps]
    this.#key = hashBytes(JSON.stringify(facts))
  }

  /** Returns the result of the last build if a build now would have the same. */
  find(): BuildResult | undefined {
    const last = this.#read()
    if (last?.key !== this.#key || last.git !== this.#readGit(last.uses)) return undefined
    const { output } = this.#options
    if (last.record !== stampOfFile(join(output, BUILD_RECORD))) return undefined
    if (!hasNames(output, last.outputs, statSync(this.#file).mtimeMs)) return undefined
    return { ...last.result, compiledCount: 0, writtenCount: 0, removedCount: 0 }
  }

  /** Remembers a result, unless a file may still change without getting another stamp. */
  save(result: BuildResult, uses: GitUses, isReliable: (stamp: string) => boolean): void {
    if (!result.isLoaded || result.hasFailedPages) return
    if (!this.#stamps.every((stamp) => stamp === '' || isReliable(stamp))) return
    const { output } = this.#options
    const remembered: Remembered = {
      key: this.#key,
      uses,
      git: this.#readGit(uses),
      record: stampOfFile(join(output, BUILD_RECORD)),
      outputs: readFolderNames(output),
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
