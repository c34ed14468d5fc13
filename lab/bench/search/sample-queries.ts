/** Samples headings of a site as queries, every third with a typing error. */
export type SiteSection = {
  readonly url: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

export type SampleQuery = {
  readonly text: string
  readonly url: string
  readonly hasTypo: boolean
}

/**
 * Returns queries from headings that only one section has, so that the expected result is
 * unambiguous.
 */
export function sampleQueries(
  sections: readonly SiteSection[],
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly SampleQuery[] {
  const random = createRandom(seed)
  const byName = Map.groupBy(sections, ({ heading }) => heading.toLowerCase().trim())
  const single = [...byName.values()].flatMap((same) => {
    const [section] = same
    return same.length === 1 && section !== undefined && isTypable(section.heading) ? [section] : []
  })
  const chosen = shuffle(single, random).slice(0, count)
  return chosen.map(({ heading, url }, index) => {
    const hasTypo = index % 3 === 0
    return { text: hasTypo ? addTypo(heading, random) : heading, url, hasTypo }
  })
}

/** Checks whether a heading is short and has a word that is long enough for a typing error. */
function isTypable(heading: string): boolean {
  return /[a-z]{5}/i.test(heading) && heading.length <= 60
}

/** Adds, removes, changes or swaps a letter in a word of at least five letters. */
function addTypo(text: string, random: () => number): string {
  const words = [...text.matchAll(/[a-z]{5,}/gi)]
  const word = words[Math.floor(random() * words.length)]
  if (word === undefined) return text
  const at = Math.floor(random() * (word[0].length - 1))
  const letters = [...word[0]]
  const other = String.fromCharCode(97 + Math.floor(random() * 26))
  const kind = Math.floor(random() * 4)
  if (kind === 0) letters.splice(at, 1)
  else if (kind === 1) letters.splice(at, 0, other)
  else if (kind === 2) letters.splice(at, 1, other)
  else letters.splice(at, 2, letters[at + 1] ?? '', letters[at] ?? '')
  return text.slice(0, word.index) + letters.join('') + text.slice(word.index + word[0].length)
}

function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const rest = [...items]
  for (let index = rest.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    const [a, b] = [rest[index], rest[other]]
    if (a !== undefined && b !== undefined) [rest[index], rest[other]] = [b, a]
  }
  return rest
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}
