/**
 * Pages that were compiled before. A page is found by the hash of its text; since it may be made of
 * snippets too, it counts only while these have the hashes they had. A page from the cache carries
 * everything that compiling it again would give, its diagnostics among it.
 */
import type { CompiledPage } from '../compile/compile-page.ts'
import { type KnownCode, takeCode } from '../compile/known-code.ts'
import type { CompilerSettings } from '../compile/page-compiler.ts'
import type { PageFacts } from '../compile/page-facts.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { ArtifactStore, PageEntry } from './artifact-store.ts'

/** Everything beside the files that decides what a page becomes, in one name. */
export function cacheVersion({ version, variables, icons, api }: CompilerSettings): string {
  return hashBytes(version, JSON.stringify([variables, api]), icons?.library ?? '')
}

/** A page file as it is now. */
export type PageSource = {
  readonly file: string
  /** Hash of its text, and of all else that is its own. */
  readonly hash: string
}

export class PageCache {
  readonly #store: ArtifactStore
  readonly #version: string
  readonly #hashOf: (path: string) => string
  readonly #now = new Map<string, PageEntry>()
  readonly #used = new Set<string>()

  /** `hashOf` gives the hash of a file as it is now; an empty one for a missing file. */
  constructor(store: ArtifactStore, version: string, hashOf: (path: string) => string) {
    this.#store = store
    this.#version = version
    this.#hashOf = hashOf
  }

  /** The key of the compiled page, if neither its file nor what it is made of has changed. */
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

  /** Highlighted code of the page as it was compiled last, whatever it is now. */
  codeBefore(file: string): KnownCode {
    const entry = this.#entryOf(file)
    const before = entry && this.#store.load(entry.artifact)
    return before === undefined ? [] : takeCode(before)
  }

  /** Keeps the page of a file, and gives its key. */
  store({ file, hash }: PageSource, page: CompiledPage): string {
    const files = page.files.map((path) => [path, this.#hashOf(path)] as const)
    const artifact = hashBytes(this.#version, file, hash, ...files.flat())
    this.put(artifact, page)
    this.#now.set(file, { text: hash, files, artifact })
    return artifact
  }

  /** Keeps a page under a key of the caller's, which covers all that it is made of. */
  put(artifact: string, page: CompiledPage): void {
    this.#store.put(artifact, page)
    this.#used.add(artifact)
  }

  /** Something else that was made before, by a key that covers all that it is made of. */
  async data<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    this.#used.add(key)
    const before = this.#store.loadData(key) as Value | undefined
    if (before !== undefined) return before
    const made = await make()
    this.#store.putData(key, made)
    return made
  }

  /** Keeps what was used, for the next build. */
  finish(): void {
    this.#store.finish(Object.fromEntries(this.#now), this.#used)
  }

  #entryOf(file: string): PageEntry | undefined {
    const { entries } = this.#store
    return this.#now.get(file) ?? (Object.hasOwn(entries, file) ? entries[file] : undefined)
  }
}
