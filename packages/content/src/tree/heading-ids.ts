/** Gives each heading of a page an id of its own; the second `Setup` is `setup-2`. */
export class HeadingIds {
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  /** An id for a heading with this text. */
  fromText(text: string): string {
    return this.unique(safeId(anchorOf(text)) ?? 'section')
  }

  /** An id that the author chose, or the same with a number if it is taken. */
  unique(wanted: string): string {
    let id = wanted
    // The counter makes 100,000 equal headings cost the same as 100,000 different ones.
    for (let number = this.#next.get(wanted) ?? 2; this.#taken.has(id); number += 1) {
      id = `${wanted}-${number}`
      this.#next.set(wanted, number + 1)
    }
    this.#taken.add(id)
    return id
  }
}

/**
 * The anchor of a heading as GitHub writes it: authors link to `#fees--billing` from habit, and of the
 * rules in use it fits the most links on real sites.
 */
function anchorOf(text: string): string {
  const lower = text.trim().toLowerCase()
  const isAscii = /^[ -~]*$/.test(lower)
  const kept = lower.replaceAll(isAscii ? /[^\w -]/g : /[^\p{L}\p{N}\p{M}_ -]/gu, '')
  return kept.replaceAll(' ', '-')
}

/** Ids that begin like this belong to programs on the page, not to its author. */
const RESERVED = /^__/

/** An id as it may stand on a page: no space, and no name that a program of ours looks up. */
export function safeId(written: string): string | undefined {
  const id = written.trim().replaceAll(/\s+/g, '-')
  if (id === '' || id.length > 200) return undefined
  return RESERVED.test(id) ? `user-${id}` : id
}
