/** Cuts a snippet from text for search results, with the search terms marked. */
import { eachWord, splitWord } from '../words/split-words.ts'

/** Text in parts that are alternately plain and marked: text, mark, text, … */
export type MarkedText = readonly string[]

type Mark = { readonly start: number; readonly end: number; readonly term: string }

const LENGTH_MAX = 160
/** Characters to show before the first mark. */
const LEAD = 40
/** Number of characters in which to search for marks; the rest of longer text is ignored. */
const TEXT_MAX = 60_000

export function markText(text: string, terms: ReadonlySet<string>): MarkedText {
  return printMarks(text, findMarks(text, terms))
}

/** Returns about two lines around the place with the most distinct terms, or the beginning. */
export function cutSnippet(text: string, terms: ReadonlySet<string>): MarkedText {
  const marks = findMarks(text.slice(0, TEXT_MAX), terms)
  const first = bestMark(marks)
  const start = first === undefined ? 0 : wordStart(text, first.start - LEAD)
  const end = wordEnd(text, start + LENGTH_MAX)
  const shown = marks
    .filter((mark) => mark.start >= start && mark.end <= end)
    .map((mark) => ({ ...mark, start: mark.start - start, end: mark.end - start }))
  // The last part is always unmarked text, possibly empty.
  const parts = [...printMarks(text.slice(start, end).replaceAll(/\s/g, ' '), shown)]
  const [head = ''] = parts
  if (start > 0) parts[0] = `… ${head.trimStart()}`
  const tail = parts.at(-1) ?? ''
  if (end < text.trimEnd().length) parts[parts.length - 1] = `${tail.trimEnd()} …`
  return parts
}

function findMarks(text: string, terms: ReadonlySet<string>): readonly Mark[] {
  const marks: Mark[] = []
  eachWord(text, (word, start) => {
    const { pieces, whole } = splitWord(word)
    if (whole !== undefined && terms.has(whole)) {
      marks.push({ term: whole, start, end: start + word.length })
      return
    }
    for (const piece of pieces) {
      if (!terms.has(piece.term)) continue
      const last = marks.at(-1)
      const from = start + piece.start
      const end = start + piece.end
      // Overlapping grams are merged into one mark.
      if (last !== undefined && last.end >= from && piece.kind !== 'word')
        marks[marks.length - 1] = { ...last, end: Math.max(last.end, end) }
      else marks.push({ term: piece.term, start: from, end })
    }
  })
  return marks
}

/** Returns the mark at which a snippet has to start to show the most distinct terms. */
function bestMark(marks: readonly Mark[]): Mark | undefined {
  let best: Mark | undefined
  let bestCount = 0
  for (const [index, mark] of marks.entries()) {
    const seen = new Set<string>()
    for (let next = index; next < marks.length && next < index + 40; next += 1) {
      const other = marks[next]
      if (other === undefined || other.end > mark.start + LENGTH_MAX - LEAD) break
      seen.add(other.term)
    }
    if (seen.size <= bestCount) continue
    best = mark
    bestCount = seen.size
  }
  return best
}

/** Returns the start of the next word, or the position itself if no word starts nearby. */
function wordStart(text: string, at: number): number {
  if (at <= 0) return 0
  const gap = text.slice(at, at + LEAD).search(/\s/)
  return gap < 0 ? at : at + gap + 1
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const gap = text.slice(at, at + LEAD).search(/\s/)
  return gap < 0 ? at : at + gap
}

function printMarks(text: string, marks: readonly Mark[]): MarkedText {
  const parts: string[] = []
  let last = 0
  for (const { start, end } of marks) {
    if (start < last) continue
    parts.push(text.slice(last, start), text.slice(start, end))
    last = end
  }
  parts.push(text.slice(last))
  return parts
}
