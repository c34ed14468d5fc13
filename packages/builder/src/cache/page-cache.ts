/**
 * Caches compiled pages. A page is found by the hash of its text, and is valid only while the files
 * it includes, such as snippets, have the same hashes. A cached page contains everything that
 * compiling would produce, including diagnostics.
 */
import type { CompiledPage } from '../compile/compile-page.ts'
import { type KnownCode, takeCode } from '../compile/known-code.ts'
import type { CompilerSettings } from '../compile/page-compiler.ts'
import type { PageFacts } from '../compile/page-facts.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { ArtifactStore, PageEntries, PageEntry } from './artifact-store.ts'

/** Returns a hash of everything that determines the compiled pages, except the source files. */
export function cacheVersion({ version, variables, icons, api }: CompilerSettings): string {
  return hashBytes(version, JSON.stringify([variables, api]), icons?.library ?? '')
}

/** A page file in its current state. */
export type PageSource = {
  readonly file: string
  /** Hash of the file's text and of everything else that only affects this page. */
  readonly hash: string
}

export class PageCache {
  readonly #store: ArtifactStore
  readonly #version: string
  readonly #hashOf: (path: string) => string
  readonly #now = new Map<string, PageEntry>()
  readonly #used = new Set<string>()

  /** `hashOf` returns the current hash of a file, or an empty string for a missing file. */
  constructor(store: ArtifactStore, version: string, hashOf: (path: string) => string) {
    this.#store = store
    this.#version = version
    this.#hashOf = hashOf
  }

  /** Returns the key of the compiled page, unless its file or an included file has changed. */
  find({ file, hash }: PageSource): string | undefined {
    const entry = this.#entryOf(file)
    if (entry === undefined || entry.text !== hash || !this.#store.has(entry.artifact)) return
    if (!entry.files.every(([path, before]) => this.#hashOf(path) === before)) return
    this.#now.set(file, entry)
    this.#used.add(entry.artifact)
    return entry.artifact
  }

  facts(artifact: string): PageFacts | undefined {
    this.#used.add(artifact)
    return this.#store.facts(artifact)
  }

  load(artifact: string): CompiledPage | undefined {
    this.#used.add(artifact)
    return this.#store.load(artifact)
  }

  /** Returns the highlighted code of the last compilation, even if the page has changed since. */
  previousCode(file: string): KnownCode {
    const entry = this.#entryOf(file)
    const before = entry && this.#store.load(entry.artifact)
    return before === undefined ? [] : takeCode(before)
  }

  /** Stores a file's page and returns its key. */
  store({ file, hash }: PageSource, page: CompiledPage): string {
    const files = page.files.map((path) => [path, this.#hashOf(path)] as const)
    const artifact = hashBytes(this.#version, file, hash, ...files.flat())
    this.put(artifact, page)
    this.#now.set(file, { text: hash, files, artifact })
    return artifact
  }

  /** Stores a page under a key, which must cover everything that the page depends on. */
  put(artifact: string, page: CompiledPage): void {
    this.#store.put(artifact, page)
    this.#used.add(artifact)
  }

  /**
   * Returns a cached result other than a page, or computes it. The key must cover everything that
   * it depends on.
   */
  async data<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    this.#used.add(key)
    const before = this.#store.loadData(key) as Value | undefined
    if (before !== undefined) return before
    const made = await make()
    this.#store.putData(key, made)
    return made
  }

  /** Returns the entries of files that were stored or found in this run. */
  entriesOf(files: readonly string[]): PageEntries {
    return Object.fromEntries(
      files.flatMap((file) => {
        const entry = this.#now.get(file)
        return entry === undefined ? [] : [[file, entry]]
      }),
    )
  }

  /** Saves the used entries for the next build. */
  finish(): void {
    this.#store.finish(Object.fromEntries(this.#now), this.#used)
  }

  #entryOf(file: string): PageEntry | undefined {
    const { entries } = this.#store
    return this.#now.get(file) ?? (Object.hasOwn(entries, file) ? entries[file] : undefined)
  }
}
