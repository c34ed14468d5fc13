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
import type { EditedPages } from './edit-pages.ts'
import { type EditRecord, readEditRecord, saveEditRecord } from './edit-record.ts'

/** What a build read from Git. */
export type GitUses = { readonly repository: boolean; readonly history: boolean }

type Remembered = {
  readonly key: string
  readonly commit: string | undefined
  /** The stamp of each file that may decide the result. */
  readonly stamps: Stamps
  /** The stamp of the edit record; undefined without one. */
  readonly edits: string | undefined
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

type Stamps = readonly (readonly [path: string, stamp: string])[]

/** What has changed since the last build, and what that build knew of each page. */
export type Edits = {
  readonly files: readonly string[]
  readonly record: EditRecord
  readonly uses: GitUses
}

/**
 * Maximum number of changed files for which single pages are edited. With more, building the whole
 * site takes about as long.
 */
const EDITED_FILES_MAX = 20

/** Maximum number of texts that are read to find out whether they have changed. */
const RECENT_MAX = 100

/** A build of the whole site. */
export type SavedBuild = {
  readonly uses: GitUses
  readonly state: FreshFiles
  /** The edit record; undefined if no page can be edited alone. */
  readonly edits: string | undefined
}

type FreshFiles = Pick<SourceState, 'isReliable' | 'recentHash'>

export class LastBuild {
  readonly #source: FolderTree
  readonly #options: BuildOptions
  readonly #file: string
  readonly #editFile: string
  readonly #stamps: Stamps
  readonly #key: string
  #last: Remembered | undefined
  /** The files whose content differs from that of the last build. */
  #changed: readonly string[] | undefined

  /** The stamps are taken here, before any file is read. */
  constructor(source: FolderTree, options: BuildOptions) {
    this.#source = source
    this.#options = options
    const {
      folder,
      output,
      cacheFolder,
      commit,
      onProgress,
      fetcher,
      store,
      workersMax,
      ...other
    } = options
    const name = hashBytes(output).slice(0, 16)
    this.#file = join(cacheFolder, `built-${name}.json`)
    this.#editFile = join(cacheFolder, `edits-${name}.txt`)
    this.#stamps = [
      ...IGNORE_FILES.map((file) => [file, stampOfFile(join(folder, file))] as const),
      ...source.files.map((file) => [file, source.stampOf(file)] as const),
    ]
    this.#key = hashBytes(JSON.stringify([folder, output, other]))
  }

  /** Returns the result of the last build if a build now would have the same. */
  find(): BuildResult | undefined {
    const last = this.#read()
    this.#last = last
    if (last?.key !== this.#key || last.git !== this.#readGit(last.uses)) return undefined
    const { output, commit } = this.#options
    if (last.record !== stampOfFile(join(output, BUILD_RECORD))) return undefined
    const changed = this.#changedFiles(last)
    if (changed === undefined) return undefined
    if (!hasNames(output, last.outputs, statSync(this.#file).mtimeMs)) return undefined
    this.#changed = changed
    if (changed.length > 0 || last.commit !== commit) return undefined
    return { ...last.result, compiledCount: 0, writtenCount: 0, removedCount: 0 }
  }

  /** Returns what has changed if `find` found only the content of a few files changed. */
  findEdits(): Edits | undefined {
    const { edits, uses } = this.#last ?? {}
    const isKnown = edits !== undefined && edits === stampOfFile(this.#editFile)
    if (this.#changed === undefined || uses === undefined || !isKnown) return undefined
    const record = readEditRecord(this.#editFile)
    return record && { files: this.#changed, record, uses }
  }

  /** Remembers the result of an edit. */
  saveEdit(counts: EditedPages, state: FreshFiles): BuildResult | undefined {
    const { result, uses, edits } = this.#last ?? {}
    if (result === undefined || uses === undefined) return undefined
    const edited = { ...result, compiledCount: this.#changed?.length ?? 0, ...counts }
    this.#remember({ result: edited, uses, edits }, state)
    return edited
  }

  /** Remembers a result, unless a file may change without being noticed. */
  save(result: BuildResult, { uses, state, edits }: SavedBuild): void {
    if (!result.isLoaded || result.hasFailedPages) return
    if (edits !== undefined) saveEditRecord(this.#editFile, edits)
    const stamp = edits === undefined ? undefined : stampOfFile(this.#editFile)
    this.#remember({ result, uses, edits: stamp }, state)
  }

  #remember(
    { result, uses, edits }: Pick<Remembered, 'result' | 'uses' | 'edits'>,
    state: FreshFiles,
  ) {
    const recent = this.#recentTexts(state)
    if (recent === undefined) return
    const { output } = this.#options
    const earlier = this.#last && { names: this.#last.outputs, atMs: statSync(this.#file).mtimeMs }
    const remembered: Remembered = {
      key: this.#key,
      commit: this.#options.commit,
      stamps: this.#stamps,
      edits,
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
    // The hashes of the last build were compared with the texts, unless a text has changed.
    const known = new Map(this.#changed === undefined ? [] : this.#last?.recent)
    for (const path of this.#changed ?? []) known.delete(path)
    for (const [path, stamp] of this.#stamps) {
      if (stamp === '' || state.isReliable(stamp)) continue
      const hash = state.recentHash(path) ?? known.get(path)
      if (hash === undefined || recent.length >= RECENT_MAX) return undefined
      recent.push([path, hash])
    }
    return recent
  }

  /** Returns undefined if files were added or removed, or if too many have changed. */
  #changedFiles({ stamps, recent }: Remembered): readonly string[] | undefined {
    if (stamps.length !== this.#stamps.length) return undefined
    const before = new Map(recent)
    const changed: string[] = []
    for (const [index, [path, stamp]] of this.#stamps.entries()) {
      const [earlierPath, earlierStamp] = stamps[index] ?? []
      if (path !== earlierPath) return undefined
      const hash = before.get(path)
      if (stamp === earlierStamp && hash === undefined) continue
      if (hash !== undefined && hashBytes(this.#source.read(path) ?? '') === hash) continue
      changed.push(path)
      if (changed.length > EDITED_FILES_MAX) return undefined
    }
    return changed
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
