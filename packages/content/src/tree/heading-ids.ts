/** Assigns a unique id to each heading of a page: the second `Setup` gets `setup-2`. */
export class HeadingIds {
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  /** Returns a unique id for a heading with this text. */
  fromText(text: string): string {
    return this.unique(safeId(anchorOf(text)) ?? 'section')
  }

  /** Returns the wanted id, with a number appended if it is taken. */
  unique(wanted: string): string {
    let id = wanted
    // The next number is stored, so that 100,000 equal headings are as fast as different ones.
    for (let number = this.#next.get(wanted) ?? 2; this.#taken.has(id); number += 1) {
      id = `${wanted}-${number}`
      this.#next.set(wanted, number + 1)
    }
    this.#taken.add(id)
    return id
  }
}

/**
 * Returns the anchor of a heading by GitHub's rules, such as `fees--billing`. Of all common rules,
 * these match the most links on real sites.
 */
function anchorOf(text: string): string {
  const lower = text.trim().toLowerCase()
  const isAscii = /^[ -~]*$/.test(lower)
  const kept = lower.replaceAll(isAscii ? /[^\w -]/g : /[^\p{L}\p{N}\p{M}_ -]/gu, '')
  return kept.replaceAll(' ', '-')
}

/** Ids with this prefix are reserved for scripts on the page. */
const RESERVED = /^__/

/** Returns a valid id without spaces that does not conflict with the ids of Octavo's scripts. */
export function safeId(written: string): string | undefined {
  const id = written.trim().replaceAll(/\s+/g, '-')
  if (id === '' || id.length > 200) return undefined
  return RESERVED.test(id) ? `user-${id}` : id
}
