/**
 * When files last changed, from the output of `git log -z --name-only --format=%x01%ct`, the latest
 * commit first. The same as the builder finds in a clone (`builder/source/git-history.ts`).
 */

export class FileDates {
  /** Path in the documentation folder → ISO 8601. */
  readonly dates = new Map<string, string>()
  readonly #wanted: ReadonlySet<string>
  #rest: Buffer = Buffer.alloc(0)
  #date = ''

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
    this.#rest = Buffer.from(text.subarray(start))
    return this.dates.size < this.#wanted.size
  }

  #takePart(part: string): void {
    const text = part.replace(/^\n/, '')
    if (text.startsWith('\x01')) {
      this.#date = new Date(Number(text.slice(1)) * 1_000).toISOString()
    } else if (this.#wanted.has(text) && !this.dates.has(text)) {
      this.dates.set(text, this.#date)
    }
  }
}
