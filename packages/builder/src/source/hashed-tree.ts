import type { Diagnostic } from '@octavo/model'
import { hashBytes } from './hash-bytes.ts'
import { type AssetFacts, isAsset, printAssetFacts, readAssetFacts } from './images/asset-facts.ts'
import type { SourceTree } from './source-tree.ts'

/** The word in a comment that suppresses a diagnostic. */
export const SUPPRESSION_MARK = 'octavo-ignore'

/** Caches the hash of every text that was read, so that no text is read again for it. */
export class HashedTree implements SourceTree {
  readonly #tree: SourceTree
  readonly #hashes = new Map<string, string>()
  /** The stamps of files before they were read. */
  readonly #stamps = new Map<string, string>()
  readonly #marked = new Set<string>()
  readonly #facts = new Map<string, AssetFacts>()

  constructor(tree: SourceTree) {
    this.#tree = tree
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
    this.#stamps.set(path, this.stampOf(path))
    const text = this.#tree.read(path)
    this.#hashes.set(path, text === undefined ? '' : hashBytes(text))
    if (text?.includes(SUPPRESSION_MARK)) this.#marked.add(path)
    return text
  }

  /** False if the file may have changed since it was hashed. */
  isUnchanged(path: string): boolean {
    if (isAsset(path)) return true
    this.hashOf(path)
    return this.stampOf(path) === this.#stamps.get(path)
  }

  /** Recorded when the text is hashed: few texts have it, and reading all of them again is slow. */
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
   * Returns the hash of a file; empty if it does not exist. Assets are represented by their facts.
   */
  hashOf(path: string): string {
    if (isAsset(path)) return printAssetFacts(this.factsOf(path))
    if (!this.#hashes.has(path)) this.read(path)
    return this.#hashes.get(path) ?? ''
  }
}
