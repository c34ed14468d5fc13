import { hashFile } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'

/** What stands at a path: its bytes, or the file that is served as it is. */
export type MemoryFile =
  | { readonly kind: 'content'; readonly content: string | Uint8Array }
  | { readonly kind: 'file'; readonly file: string }

type Entry = MemoryFile & { readonly key: string }

/** The files of a site in memory, without the pages. Each state of the site has its own. */
export class MemoryOutput implements SiteOutput {
  readonly #before: ReadonlyMap<string, Entry>
  readonly #entries = new Map<string, Entry>()

  /** What the state before had made of the same parts is not made again. */
  constructor(before?: MemoryOutput) {
    this.#before = before === undefined ? new Map() : before.#entries
  }

  readonly keep = (path: string, key: string): boolean => {
    const before = this.#before.get(path)
    if (before?.key !== key) return false
    this.#entries.set(path, before)
    return true
  }

  readonly write = (path: string, key: string | undefined, content: string | Uint8Array): void => {
    this.#entries.set(path, { kind: 'content', content, key: key ?? hashFile(content) })
  }

  readonly copy = (path: string, file: string): void => {
    this.#entries.set(path, { kind: 'file', file, key: '' })
  }

  readonly has = (path: string): boolean => this.#entries.has(path)

  readonly earlier = (): readonly string[] => [...this.#before.keys()]

  read(path: string): MemoryFile | undefined {
    return this.#entries.get(path)
  }
}
