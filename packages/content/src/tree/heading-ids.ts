/** Assigns each heading of a page a unique id; the second `Setup` is `setup-2`. */
export class HeadingIds {
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  /** Returns an id for a heading with this text. */
  fromText(text: string): string {
    return this.unique(safeId(anchorOf(text)) ?? 'section')
  }

  /** Returns the author's id, with a number appended if it is taken. */
  unique(wanted: string): string {
    let id = wanted
    // The counter makes 100,000 equal headings as cheap as 100,000 different ones.
    for (let number = this.#next.get(wanted) ?? 2; this.#taken.has(id); number += 1) {
      id = `${wanted}-${number}`
      this.#next.set(wanted, number + 1)
    }
    this.#taken.add(id)
    return id
  }
}

/**
 * Returns the anchor of a heading as on GitHub: authors expect `#fees--billing`, and of all common
 * rules it matches the most links on real sites.
 */
function anchorOf(text: string): string {
  const lower = text.trim().toLowerCase()
  const isAscii = /^[ -~]*$/.test(lower)
  const kept = lower.replaceAll(isAscii ? /[^\w -]/g : /[^\p{L}\p{N}\p{M}_ -]/gu, '')
  return kept.replaceAll(' ', '-')
}

/** Ids with this prefix are reserved for scripts on the page. */
const RESERVED = /^__/

/** Returns a valid id: without spaces, and not one that our scripts use. */
export function safeId(written: string): string | undefined {
  const id = written.trim().replaceAll(/\s+/g, '-')
  if (id === '' || id.length > 200) return undefined
  return RESERVED.test(id) ? `user-${id}` : id
}
