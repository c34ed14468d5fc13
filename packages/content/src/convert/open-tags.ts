/**
 * Counts the tags of a page that are never closed, or never opened. In MDX, a tag ends in the block
 * or the paragraph in which it starts.
 */
export class OpenTags {
  #open: string[] = []
  #unpaired = 0

  add(written: string): void {
    const [, slash, name = '', end] = /^<(\/?)([\w.:-]+)[\s\S]*?(\/?)>$/.exec(written) ?? []
    if (name === '' || end === '/') return
    if (slash === '') this.#open.push(name)
    else if (this.#open.at(-1) === name) this.#open.pop()
    else this.#unpaired += 1
  }

  /** Counts the tags of a block or paragraph, which is inside the tags that are open. */
  inside(walk: () => void): void {
    const outer = this.#open
    this.#open = []
    walk()
    this.#unpaired += this.#open.length
    this.#open = outer
  }

  get unpaired(): number {
    return this.#unpaired + this.#open.length
  }
}
