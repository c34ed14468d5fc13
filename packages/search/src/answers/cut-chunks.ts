import type { LibrarySection } from './site-library.ts'

/**
 * Maximum characters of a chunk without its path, close to the input limit of an embedding model.
 */
const CHUNK_LENGTH_MAX = 1_000
/** Maximum chunks per section; semantic search does not cover the rest of the section. */
const CHUNKS_PER_SECTION_MAX = 6
const PATH_LENGTH_MAX = 200

/** Splits a section into strings for an embedding model, each prefixed with the section's path. */
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

/** Returns where a chunk ends: preferably after a line, sentence or word in its second half. */
function endOfChunk(text: string): number {
  const start = text.slice(0, CHUNK_LENGTH_MAX)
  for (const mark of ['\n', '. ', ' ']) {
    const at = start.lastIndexOf(mark)
    if (at > CHUNK_LENGTH_MAX / 2) return at + mark.length
  }
  // Do not split a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(start) ? CHUNK_LENGTH_MAX - 1 : CHUNK_LENGTH_MAX
}
