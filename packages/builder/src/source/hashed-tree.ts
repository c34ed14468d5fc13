import type { Diagnostic } from '@octavo/model'
import { hashBytes } from './hash-bytes.ts'
import { type AssetFacts, isAsset, printAssetFacts, readAssetFacts } from './images/asset-facts.ts'
import type { SourceState } from './source-state.ts'
import type { SourceTree } from './source-tree.ts'

/** The keyword in a comment that suppresses a diagnostic. */
export const SUPPRESSION_MARK = 'octavo-ignore'

/** Caches the hash of every text that is read, so that no text is read again to hash it. */
export class HashedTree implements SourceTree {
  readonly #tree: SourceTree
  readonly #hashes = new Map<string, string>()
  /** The stamp of each file, taken before the file was read. */
  readonly #stamps = new Map<string, string>()
  readonly #marked = new Set<string>()
  readonly #facts = new Map<string, AssetFacts>()
  readonly #heads = new Map<string, unknown>()

  readonly #state: SourceState | undefined
  #files: ReadonlySet<string> | undefined

  /** If the state of earlier runs is given, it provides the hashes and heads of unchanged files. */
  constructor(tree: SourceTree, state?: SourceState) {
    this.#tree = tree
    this.#state = state
  }

  get files(): readonly string[] {
    return this.#tree.files
  }

  get folder(): string | undefined {
    return this.#tree.folder
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#tree.diagnostics
  }

  readonly changedAt = (path: string): string | undefined => this.#tree.changedAt(path)

  readonly repository = () => this.#tree.repository?.()

  readonly stampOf = (path: string): string => this.#tree.stampOf(path)

  readonly read = (path: string): string | undefined => {
    if (this.#hashes.has(path)) return this.#tree.read(path)
    const stamp = this.stampOf(path)
    this.#stamps.set(path, stamp)
    const text = this.#tree.read(path)
    const hash = text === undefined ? '' : hashBytes(text)
    const isMarked = text?.includes(SUPPRESSION_MARK) === true
    this.#hashes.set(path, hash)
    if (isMarked) this.#marked.add(path)
    if (text !== undefined) this.#state?.add(path, stamp, { hash, isMarked })
    return text
  }

  /** Returns the head of a file from this run or an earlier one, or makes it now. */
  headOf<Head>(path: string, make: () => Head): Head {
    const known = this.#heads.get(path) ?? this.#lookUp(path)?.head
    if (known !== undefined) {
      this.#heads.set(path, known)
      return known as Head
    }
    const stamp = this.#stamps.get(path) ?? this.stampOf(path)
    const made = make()
    this.#heads.set(path, made)
    this.#state?.add(path, stamp, { head: made })
    return made
  }

  /** Returns false if the file may have changed since it was hashed. */
  isUnchanged(path: string): boolean {
    if (isAsset(path)) return true
    this.hashOf(path)
    return this.stampOf(path) === this.#stamps.get(path)
  }

  /**
   * Checks whether a file contains the suppression keyword. This is recorded when the file is
   * hashed: few files contain it, and reading all of them again would be slow.
   */
  hasSuppressionMark(path: string): boolean {
    this.hashOf(path)
    return this.#marked.has(path)
  }

  readonly readBytes = (path: string): Uint8Array | undefined => this.#tree.readBytes(path)

  readonly readHead = (path: string, lengthMax: number): Uint8Array | undefined =>
    this.#tree.readHead(path, lengthMax)

  readonly factsOf = (path: string): AssetFacts => {
    const known = this.#facts.get(path)
    if (known !== undefined) return known
    const facts = readAssetFacts(path, this.#tree.readHead)
    this.#facts.set(path, facts)
    return facts
  }

  /**
   * Returns the hash of a file, or an empty string if it does not exist. For assets, only their
   * facts are hashed.
   */
  hashOf(path: string): string {
    if (isAsset(path)) return printAssetFacts(this.factsOf(path))
    if (!this.#hashes.has(path) && this.#lookUp(path)?.hash === undefined) this.read(path)
    return this.#hashes.get(path) ?? ''
  }

  /** Looks up what an earlier run found out about a file in the tree. */
  #lookUp(path: string): ReturnType<SourceState['find']> {
    this.#files ??= new Set(this.#tree.files)
    if (this.#state === undefined || !this.#files.has(path)) return undefined
    const stamp = this.#stamps.get(path) ?? this.stampOf(path)
    const known = this.#state.find(path, stamp)
    if (known?.hash === undefined || this.#hashes.has(path)) return known
    this.#stamps.set(path, stamp)
    this.#hashes.set(path, known.hash)
    if (known.isMarked) this.#marked.add(path)
    return known
  }
}
