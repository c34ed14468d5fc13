/** A text with its file name; converts between offsets and line and column. */
export class SourceText {
  readonly file: string
  readonly text: string
  #lineStarts: readonly number[] | undefined

  constructor(file: string, text: string) {
    this.file = file
    this.text = text
  }

  /** Returns line and column, starting at 1. Lines end with LF, CRLF or CR. */
  position(offset: number): { readonly line: number; readonly column: number } {
    const starts = this.#starts
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }

  /** The inverse of `position`. */
  offset({ line, column }: { readonly line: number; readonly column: number }): number {
    return (this.#starts[line - 1] ?? this.text.length) + column - 1
  }

  /** Built lazily: most files have no problems to locate. */
  get #starts(): readonly number[] {
    this.#lineStarts ??= findLineStarts(this.text)
    return this.#lineStarts
  }
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(index + 1) !== 0x0a)) {
      starts.push(index + 1)
    }
  }
  return starts
}
