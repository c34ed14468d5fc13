import type { Access, AccessRange } from '@octavo/model'
import { hashFile } from '../source/hash-bytes.ts'
import type {
  FinishedOutput,
  KeptFacts,
  OutputEntry,
  OutputFacts,
  PartsOutput,
  ReadBytes,
  SiteOutput,
} from './site-output.ts'

type Entry = {
  /** Source files are read on demand, because an author may have many large ones. */
  readonly read: () => string | Uint8Array | undefined
  readonly key: string | undefined
  readonly access: Access
  readonly ranges: readonly AccessRange[] | undefined
}

/** Keeps the files of a site in memory. Each state of the site has its own instance. */
export class MemoryOutput implements SiteOutput {
  readonly #before: ReadonlyMap<string, Entry>
  readonly #entries = new Map<string, Entry>()

  /** Reuses the outputs of the previous state whose key is unchanged. */
  constructor(before?: MemoryOutput) {
    this.#before = before === undefined ? new Map() : before.#entries
  }

  keep(path: string, { key, access }: KeptFacts): boolean {
    const before = this.#before.get(path)
    if (before === undefined || keyOf(before) !== key) return false
    this.#entries.set(path, { ...before, access })
    return true
  }

  keepNamed(path: string, access: Access): boolean {
    const before = this.#before.get(path)
    if (before !== undefined) this.#entries.set(path, { ...before, access })
    return before !== undefined
  }

  write(path: string, content: string | Uint8Array, { key, access, ranges }: OutputFacts): void {
    this.#put(path, { read: () => content, key, access, ranges })
  }

  copy(path: string, read: ReadBytes, access: Access): void {
    this.#put(path, { read, key: undefined, access, ranges: undefined })
  }

  openParts(path: string, facts: KeptFacts): PartsOutput {
    const parts: Uint8Array[] = []
    return {
      add: (part) => parts.push(typeof part === 'string' ? Buffer.from(part) : part),
      close: () => this.write(path, Buffer.concat(parts), facts),
    }
  }

  /** Returns no earlier parts, because content in memory is not slow to read. */
  openEarlier(): undefined {
    return undefined
  }

  label(path: string, access: Access): void {
    const entry = this.#entries.get(path)
    if (entry !== undefined) this.#entries.set(path, { ...entry, access })
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  /** Returns the content as it was written, or undefined if the site has no such file. */
  read(path: string): string | Uint8Array | undefined {
    return this.#entries.get(path)?.read()
  }

  readBytes(path: string): Uint8Array {
    const content = this.read(path)
    if (content === undefined) throw new Error(`${path} is not part of the site.`)
    return typeof content === 'string' ? Buffer.from(content) : content
  }

  earlier(): readonly string[] {
    return [...this.#before.keys()]
  }

  entries(): readonly OutputEntry[] {
    return [...this.#entries.keys()].toSorted().flatMap((path) => {
      const entry = this.#entries.get(path)
      const content = entry?.read()
      if (entry === undefined || content === undefined) return []
      const { access, ranges } = entry
      const size = Buffer.byteLength(content)
      return [{ path, sha256: hashFile(content), size, access, ...(ranges && { ranges }) }]
    })
  }

  finish(): FinishedOutput {
    const written = [...this.#entries].filter(([path, { read }]) => {
      const before = this.#before.get(path)
      return before?.read !== read && hashFile(before?.read() ?? '') !== hashFile(read() ?? '')
    })
    return {
      count: this.#entries.size,
      writtenCount: written.length,
      removedCount: this.earlier().filter((path) => !this.#entries.has(path)).length,
    }
  }

  #put(path: string, entry: Entry): void {
    if (!this.#entries.has(path)) this.#entries.set(path, entry)
  }
}

/** Returns the key of an entry. If it has none, its content is hashed. */
function keyOf({ key, read }: Entry): string {
  return key ?? hashFile(read() ?? '')
}
