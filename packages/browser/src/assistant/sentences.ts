/**
 * Announces an answer to screen readers sentence by sentence, because single letters would be
 * noise.
 */
const END =
  /(?<!(?:^|\n)\s{0,8}\d{1,3})[.!?。！？؟।](?:["'”’)\]]{0,3}|\[\d{1,3}\]){0,4}(?=\s|$)|[。！？]|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)/g
const SENTENCES_MAX = 6

export class Sentences {
  readonly #line: HTMLElement
  #said = 0

  constructor(line: HTMLElement) {
    this.#line = line
  }

  /**
   * Announces the new sentences of `text`, which is the answer so far. At the end, it also
   * announces the rest.
   */
  follow(text: string, isEnd: boolean): void {
    const end = isEnd ? text.length : lastEnd(text, this.#said)
    if (end <= this.#said) return
    this.say(spoken(text.slice(this.#said, end)))
    this.#said = end
  }

  say(words: string): void {
    if (words === '') return
    const line = document.createElement('p')
    line.textContent = words
    this.#line.append(line)
    while (this.#line.childElementCount > SENTENCES_MAX) this.#line.firstElementChild?.remove()
  }
}

/** Returns the end of the last complete sentence. Code is announced only when it is complete. */
export function lastEnd(text: string, from: number): number {
  let last = from
  for (const { index, 0: mark } of text.slice(from).matchAll(END)) {
    const end = from + index + mark.length
    // The last word may not be complete: `octavo.` may become `octavo.json`.
    const isOver = end < text.length
    const fences = text.slice(from, end).match(/^ {0,3}(?:```|~~~)/gm) ?? []
    if (isOver && fences.length % 2 === 0) last = end
  }
  return last
}

/** Removes the Markdown syntax from text. */
export function spoken(text: string): string {
  return text
    .replaceAll(/^ {0,3}(?:```|~~~).*$|^[ |:-]*\|[ |:-]*$/gm, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s*\[\d{1,3}\]/g, '')
    .replaceAll(/[*_`#>|]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
