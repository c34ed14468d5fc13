/**
 * Builds the rest of the site while an author works: the outputs that depend on many pages (the
 * search index, lists for programs) and all diagnostics. The build runs in a low-priority process
 * and again after each change. Only one build runs at a time, and none is canceled, since each one
 * fills the cache.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Diagnostic } from '@octavo/model'
import { buildProcessFile } from '../compile/own-files.ts'
import type { SpecificationOutcome } from '../load/specification-fetcher.ts'
import type { BuildProgress } from '../pipeline/build-tree.ts'
import { BUILD_RECORD } from '../source/read-folder.ts'

export type BuildOrder = {
  readonly folder: string
  readonly output: string
  readonly cacheFolder: string
  readonly version: string
  readonly siteUrl?: string
  /**
   * The outcomes of fetching hosted specifications. A background build does not fetch anything
   * itself.
   */
  readonly specifications: ReadonlyMap<string, SpecificationOutcome>
}

/** The options of all builds. The outcomes of specifications are requested again for each build. */
export type BackgroundBuildOptions = Omit<BuildOrder, 'specifications'> & {
  readonly specifications: () => BuildOrder['specifications']
}

export type BuildReply =
  | ({ readonly kind: 'progress' } & BuildProgress)
  | {
      readonly kind: 'done'
      readonly diagnostics: readonly Diagnostic[]
      readonly pageCount: number
    }

export type BackgroundBuildEvents = {
  readonly onProgress?: (progress: BuildProgress) => void
  readonly onDone?: (
    diagnostics: readonly Diagnostic[],
    /** `isCurrent` is true if nothing has changed since the build began. */
    state: { readonly isCurrent: boolean },
  ) => void
}

/** Nice value of the build process, so that its priority is lower than that of other processes. */
const PRIORITY = 10

export class BackgroundBuild {
  readonly #options: BackgroundBuildOptions
  readonly #events: BackgroundBuildEvents
  readonly #first = Promise.withResolvers<void>()
  #outputs: ReadonlySet<string> = new Set()
  #process: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #isWanted = false
  #isClosed = false

  constructor(options: BackgroundBuildOptions, events: BackgroundBuildEvents) {
    this.#options = options
    this.#events = events
  }

  /** Starts a build when there has been no further request for the given time. */
  request(delayMs: number): void {
    this.#isWanted = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#run(), delayMs)
  }

  get isAtWork(): boolean {
    return this.#process !== undefined
  }

  /**
   * Returns the path of a file that the latest build wrote. If there has been no build yet,
   * optionally waits for the first one.
   */
  async find(path: string, { waits }: { readonly waits: boolean }): Promise<string | undefined> {
    if (this.#outputs.size === 0 && waits) {
      this.request(0)
      await this.#first.promise
    }
    return this.#outputs.has(path) ? join(this.#options.output, path) : undefined
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#first.resolve()
    this.#process?.kill('SIGKILL')
  }

  #run(): void {
    if (this.#process !== undefined || !this.#isWanted || this.#isClosed) return
    this.#isWanted = false
    const child = fork(buildProcessFile(), {
      execArgv: ['--no-warnings'],
      serialization: 'advanced',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#process = child
    lowerPriority(child)
    child.on('message', (reply: BuildReply) => {
      if (reply.kind === 'progress') this.#events.onProgress?.(reply)
      else this.#finish(reply.diagnostics)
    })
    child.on('error', () => child.kill('SIGKILL'))
    child.on('exit', () => {
      this.#process = undefined
      // Resolved after a failed build too, so that requests for a file do not wait forever.
      this.#first.resolve()
      this.#run()
    })
    const order: BuildOrder = {
      ...this.#options,
      specifications: this.#options.specifications(),
    }
    child.send(order, () => {})
  }

  #finish(diagnostics: readonly Diagnostic[]): void {
    this.#outputs = readOutputs(this.#options.output)
    this.#events.onDone?.(diagnostics, { isCurrent: !this.#isWanted })
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, PRIORITY)
  } catch {
    // The process has ended or the system refuses to change its priority, so it keeps the default
    // priority.
  }
}

/** Returns the files that the build record lists; no other files are served. */
function readOutputs(folder: string): ReadonlySet<string> {
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, BUILD_RECORD), 'utf8'))
    return new Set(Object.keys((record as { readonly outputs: object }).outputs))
  } catch {
    return new Set()
  }
}
