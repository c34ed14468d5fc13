/**
 * When files last changed, from the output of `git log -z --name-only --format=%x01%ct`, the latest
 * commit first. The same as the builder finds in a clone (`builder/source/git-history.ts`).
 */
import { ENTRY_BYTES_MAX } from './select-files.ts'

/** Commits may claim any time. A time that no date can hold is ignored. */
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

  /** False once every file has its date: the rest of the history changes nothing. */
  take(bytes: Buffer): boolean {
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let start = 0
    for (let end = text.indexOf(0); end >= 0; end = text.indexOf(0, start)) {
      this.#takePart(text.toString('utf8', start, end))
      start = end + 1
    }
    // No file that is wanted has a name of this length.
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
