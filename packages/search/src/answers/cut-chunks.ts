import type { LibrarySection } from './site-library.ts'

/** Characters of a chunk without its path: about what an embedding model reads at once. */
const CHUNK_LENGTH_MAX = 1_000
/** Chunks of one section; the rest of it is found by its words alone. */
const CHUNKS_PER_SECTION_MAX = 6
const PATH_LENGTH_MAX = 200

/** A section as texts for an embedding model, each with the path to the section in front. */
export function cutChunks({ page, id, headings, text }: LibrarySection): readonly string[] {
  const path = [...page.trail, page.title, ...headings].join(' › ').slice(0, PATH_LENGTH_MAX)
  const body = id === '' ? `${page.description}\n${text}`.trim() : text
  const parts: string[] = []
  for (let rest = body; rest !== '' && parts.length < CHUNKS_PER_SECTION_MAX; ) {
    const end = rest.length <= CHUNK_LENGTH_MAX ? rest.length : endOfChunk(rest)
    parts.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trimStart()
  }
  return (parts.length === 0 ? [''] : parts).map((part) => `${path}\n${part}`.trim())
}

/** At the end of a line, of a sentence or of a word, if there is one in the second half. */
function endOfChunk(text: string): number {
  const start = text.slice(0, CHUNK_LENGTH_MAX)
  for (const mark of ['\n', '. ', ' ']) {
    const at = start.lastIndexOf(mark)
    if (at > CHUNK_LENGTH_MAX / 2) return at + mark.length
  }
  // Never through the middle of a letter that takes two places.
  return /[\uD800-\uDBFF]$/.test(start) ? CHUNK_LENGTH_MAX - 1 : CHUNK_LENGTH_MAX
}
