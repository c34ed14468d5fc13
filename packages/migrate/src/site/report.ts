/** Collects what a migration did, approximated, and left for a person. */

export type Place = { readonly file: string; readonly line: number }

type Entry = Place & { readonly what: string }

export type ReportData = {
  /** How often each construct was converted. */
  readonly converted: Readonly<Record<string, number>>
  /** What looks or works differently now. */
  readonly approximated: readonly Entry[]
  /** What a person has to decide or write. */
  readonly left: readonly Entry[]
}

export class MigrationReport {
  readonly #converted = new Map<string, number>()
  readonly #approximated = new Map<string, Entry>()
  readonly #left = new Map<string, Entry>()

  convert(what: string, count = 1): void {
    this.#converted.set(what, (this.#converted.get(what) ?? 0) + count)
  }

  approximate(what: string, { file, line }: Place): void {
    this.#approximated.set(`${file}:${line} ${what}`, { what, file, line })
  }

  leave(what: string, { file, line }: Place): void {
    this.#left.set(`${file}:${line} ${what}`, { what, file, line })
  }

  data(): ReportData {
    const sorted = (entries: ReadonlyMap<string, Entry>) => [...entries.values()].sort(byPlace)
    return {
      converted: Object.fromEntries([...this.#converted].sort((a, b) => b[1] - a[1])),
      approximated: sorted(this.#approximated),
      left: sorted(this.#left),
    }
  }
}

function byPlace(a: Entry, b: Entry): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || (a.what < b.what ? -1 : 1)
}

/** Returns the number of the first line that contains a text, from 1; 1 if none does. */
export function lineOf(text: string, written: string): number {
  const [first = ''] = written.trim().split('\n', 1)
  const at = first === '' ? -1 : text.indexOf(first)
  return at < 0 ? 1 : text.slice(0, at).split('\n').length
}

/** Returns what an author wrote in one short line. */
export function shorten(written: string): string {
  const line = written.trim().replaceAll(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 77)}...` : line
}
