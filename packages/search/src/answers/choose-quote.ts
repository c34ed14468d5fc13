/**
 * Chooses the part of a section that answers a question and quotes it unchanged, in whole blocks.
 */
import { eachWord, splitWord } from '../words/split-words.ts'
import { type MarkdownBlock, markdownBlocks } from './markdown-blocks.ts'

/** Maximum characters of a quote; a longer first block is cut at the end of a line. */
const QUOTE_LENGTH_MAX = 1_200
/** Maximum table rows in a quote, not counting the header. */
const ROWS_MAX = 3

/**
 * Returns the block that shares the most words with the question, together with the text that
 * introduces it or the list or code that it introduces.
 */
export function chooseQuote(markdown: string, question: string): string {
  const asked = termsOf(question)
  const blocks = markdownBlocks(markdown).filter(({ kind }) => kind !== 'heading')
  const scores = blocks.map((block) => scoreOf(block, asked))
  const best = scores.indexOf(scores.reduce((most, score) => Math.max(most, score), 0))
  const block = blocks[best]
  if (block === undefined) return ''
  const before = blocks[best - 1]
  const after = blocks[best + 1]
  const parts = [quoteOf(block, asked)]
  if (block.kind !== 'text' && before?.kind === 'text') parts.unshift(before.text)
  else if (block.kind === 'text' && after !== undefined && introduces(block, after))
    parts.push(quoteOf(after, asked))
  return cut(parts)
}

function introduces(block: MarkdownBlock, after: MarkdownBlock): boolean {
  return after.kind !== 'text' || block.text.trimEnd().endsWith(':')
}

/** Returns a table's header and best matching rows, or the whole text of any other block. */
function quoteOf({ kind, text }: MarkdownBlock, asked: ReadonlySet<string>): string {
  if (kind !== 'table') return text
  const [head = '', line = '', ...rows] = text.split('\n')
  const scored = rows.map((row, place) => ({ row, place, score: share(row, asked) }))
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, ROWS_MAX)
  const most = best[0]?.score ?? 0
  const chosen = best.filter(({ score }) => score === most).sort((a, b) => a.place - b.place)
  return [head, line, ...chosen.map(({ row }) => row)].join('\n')
}

/** Prose is worth more than code with the same words. */
function scoreOf(block: MarkdownBlock, asked: ReadonlySet<string>): number {
  return share(block.text, asked) * (block.kind === 'code' ? 0.6 : 1)
}

function share(text: string, asked: ReadonlySet<string>): number {
  const terms = termsOf(text)
  let count = 0
  for (const term of asked) if (terms.has(term)) count += 1
  return count
}

function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>()
  eachWord(text, (word) => {
    for (const { term } of splitWord(word).pieces) if (term.length > 2) terms.add(term)
  })
  return terms
}

function cut([first = '', ...rest]: readonly string[]): string {
  let text = first
  for (const part of rest) {
    if (text.length + part.length <= QUOTE_LENGTH_MAX) text += `\n\n${part}`
  }
  if (text.length <= QUOTE_LENGTH_MAX) return text
  const end = text.lastIndexOf('\n', QUOTE_LENGTH_MAX)
  const start = text.slice(0, end < 0 ? QUOTE_LENGTH_MAX : end)
  const fence = /^(`{3,}|~{3,})/.exec(start)?.[1]
  return fence === undefined ? start : `${start}\n${fence}`
}
