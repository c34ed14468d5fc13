/**
 * Reads when files last changed from the output of `git log -z --name-only --format=%x01%ct`,
 * newest commit first. The result is the same as the builder's in a clone
 * (`builder/source/git-history.ts`).
 */
import { ENTRY_BYTES_MAX } from './select-files.ts'

/** Commits may claim any time. Later times do not fit into a date and are ignored. */
const SECONDS_MAX = Date.UTC(9999, 11, 31) / 1_000

export class FileDates {
  /** Path in the documentation folder → ISO 8601. */
  readonly dates = new Map<string, string>()
  readonly #wanted: ReadonlySet<string>
  #rest: Buffer = Buffer.alloc(0)
  #date: string | undefined

  constructor(paths: Iterable<string>) {
    this.#wanted = new Set(paths)
  }

  /** Returns false once every file has a date, so that the rest of the history is not read. */
  take(bytes: Buffer): boolean {
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let start = 0
    for (let end = text.indexOf(0); end >= 0; end = text.indexOf(0, start)) {
      this.#takePart(text.toString('utf8', start, end))
      start = end + 1
    }
    // No requested file has a longer path, so the rest of a longer entry is dropped.
    this.#rest = Buffer.from(text.subarray(start, start + ENTRY_BYTES_MAX))
    return this.dates.size < this.#wanted.size
  }

  #takePart(part: string): void {
    const text = part.replace(/^\n/, '')
    if (text.startsWith('\x01')) {
      const at = Number(text.slice(1))
      this.#date = at <= SECONDS_MAX ? new Date(at * 1_000).toISOString() : undefined
    } else if (this.#date !== undefined && this.#wanted.has(text) && !this.dates.has(text)) {
      this.dates.set(text, this.#date)
    }
  }
}
