/**
 * Reads the time of each file's last change from the output of `git log -z --name-only
 * --format=%x01%ct`, which starts with the newest commit. The builder gets the same dates in a
 * clone (`builder/source/git-history.ts`).
 */
import { ENTRY_BYTES_MAX } from './select-files.ts'

/**
 * The latest commit time that is used. Authors can set any time, and later ones are ignored because
 * their year has five digits.
 */
const SECONDS_MAX = Date.UTC(9999, 11, 31) / 1_000

export class FileDates {
  /** The time of the last change of each file: path in the documentation folder → ISO 8601. */
  readonly dates = new Map<string, string>()
  readonly #wanted: ReadonlySet<string>
  #rest: Buffer = Buffer.alloc(0)
  #date: string | undefined

  constructor(paths: Iterable<string>) {
    this.#wanted = new Set(paths)
  }

  /**
   * Reads a chunk of the output. Returns false once every file has a date, so that the rest of the
   * history is not read.
   */
  take(bytes: Buffer): boolean {
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let start = 0
    for (let end = text.indexOf(0); end >= 0; end = text.indexOf(0, start)) {
      this.#takePart(text.toString('utf8', start, end))
      start = end + 1
    }
    // Requested files have shorter paths than this, so the rest of a longer entry is dropped.
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
