/** Source text with its file name. Converts between offsets and positions (line and column). */
export class SourceText {
  readonly file: string
  readonly text: string
  #lineStarts: readonly number[] | undefined

  constructor(file: string, text: string) {
    this.file = file
    this.text = text
  }

  /**
   * Returns the line and column of an offset, both starting at 1. A line ends with LF, CRLF or CR.
   */
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

  /** Returns the offset of a line and column. */
  offset({ line, column }: { readonly line: number; readonly column: number }): number {
    return (this.#starts[line - 1] ?? this.text.length) + column - 1
  }

  /**
   * The offsets of all lines. They are computed when first needed, since most files have no
   * problems.
   */
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
