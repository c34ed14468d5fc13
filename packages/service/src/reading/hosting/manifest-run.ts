/**
 * Keeps the entries of a run as text outside of the heap. A host has the runs of thousands of sites
 * in memory: as objects, they would make each garbage collection pause all readers.
 */
import type { ManifestEntry } from '@octavo/model'

export class Run {
  /** Each line is one entry as JSON, with the path first. The text was printed here. */
  readonly #lines: Buffer
  /**
   * The entries that were requested. They stay the same objects, because others keep what they
   * compute from an entry.
   */
  readonly #known = new Map<string, ManifestEntry>()

  /** `entries` are entries of the parser, so they have been checked. */
  constructor(entries: readonly ManifestEntry[]) {
    const lines = entries.map(({ path, ...rest }) => `${JSON.stringify({ path, ...rest })}\n`)
    this.#lines = Buffer.from(`\n${lines.join('')}`)
  }

  /** The approximate size in memory. */
  get size(): number {
    return this.#lines.length
  }

  get(path: string): ManifestEntry | undefined {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const before = `\n{"path":${JSON.stringify(path)},`
    const start = this.#lines.indexOf(before) + 1
    if (start === 0) return undefined
    const end = this.#lines.indexOf('\n', start)
    const entry: ManifestEntry = JSON.parse(this.#lines.toString('utf8', start, end))
    this.#known.set(path, entry)
    return entry
  }

  has(path: string): boolean {
    return this.get(path) !== undefined
  }

  /** Returns all entries, in the order of their paths. */
  all(): readonly ManifestEntry[] {
    return JSON.parse(`[${this.#lines.toString('utf8').trim().replaceAll('\n', ',')}]`)
  }
}
