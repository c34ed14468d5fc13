type Edit = { readonly at: number; readonly removed: number; readonly text: string }

/**
 * Edits to page text. They can map offsets back, so that diagnostics refer to the author's text.
 */
export class SourceEdits {
  readonly #edits: Edit[] = []

  get size(): number {
    return this.#edits.length
  }

  /** Replaces `removed` characters of the original text. The number may be zero. */
  replace(at: number, removed: number, text: string): void {
    const index = this.#edits.findIndex((edit) => edit.at > at)
    this.#edits.splice(index < 0 ? this.#edits.length : index, 0, { at, removed, text })
  }

  apply(original: string): string {
    let from = 0
    let result = ''
    for (const { at, removed, text } of this.#edits) {
      result += original.slice(from, at) + text
      from = Math.max(from, at + removed)
    }
    return result + original.slice(from)
  }

  /** Maps an offset in the edited text to the original text. */
  toOriginal(offset: number): number {
    let added = 0
    for (const { at, removed, text } of this.#edits) {
      if (at + added > offset) break
      if (at + added + text.length > offset) return Math.min(offset - added, at + removed)
      added += text.length - removed
    }
    return offset - added
  }
}
