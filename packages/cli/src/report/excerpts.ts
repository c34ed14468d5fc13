import { type Diagnostic, printable } from '@octavo/model'

export type Excerpt = { readonly text: string; readonly column: number }

/**
 * The maximum width of an excerpt. Longer lines are truncated around the column of the diagnostic.
 */
const EXCERPT_WIDTH = 90

/** Reads the source lines of problems. Each file is read once. */
export class Excerpts {
  readonly #read: (file: string) => string | undefined
  readonly #lines = new Map<string, readonly string[]>()

  constructor(read: (file: string) => string | undefined) {
    this.#read = read
  }

  /** Returns the line at a place, or a part of it, with the column in this excerpt. */
  at(place: Diagnostic['place']): Excerpt | undefined {
    const lines = this.#lines.get(place.file) ?? this.#read(place.file)?.split(/\r\n|\n|\r/) ?? []
    this.#lines.set(place.file, lines)
    const line = lines[place.line - 1]
    if (line === undefined || line.trim() === '') return undefined
    const indent = line.length - line.trimStart().length
    const column = place.column - 1
    const from = column - indent > EXCERPT_WIDTH - 20 ? column - 30 : Math.min(indent, column)
    const text = printable(line.slice(from, from + EXCERPT_WIDTH).replaceAll('\t', ' '))
    return { text, column: column - from }
  }
}
