import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import type { CodeNode, CodeOptions } from '../tree/page-tree.ts'

type Draft = { -readonly [Key in keyof CodeOptions]: CodeOptions[Key] } & {
  other?: Record<string, string | true>
}

const FLAGS = ['lines', 'expandable', 'wrap', 'nocopy', 'twoslash', 'actions'] as const
const TEXTS = ['title', 'icon', 'theme', 'placement'] as const
const RANGES = ['highlight', 'focus'] as const
/** Names of code options in other tools, and their equivalents. */
const ALIASES: Readonly<Record<string, string>> = {
  showLineNumbers: 'lines',
  filename: 'title',
  hl_lines: 'highlight',
}
/** Matches one option: `key=value`, `key="…"`, `key='…'`, `key={…}`, `{…}` or a word. */
const PART = /([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|(\S+))|\{([\d\s,-]*)(?:\}|$)|(\S+)/g
/** Matches a list of lines to highlight that ends the options without a closing brace. */
const UNCLOSED_LINES = /(?:^|\s)(\{[\d\s,-]*)$/

/** Returns an unclosed list of lines, such as `{1,2`, at the end of the code options. */
export function findUnclosedLines(written: string): string | undefined {
  if (!written.includes('{')) return undefined
  return UNCLOSED_LINES.exec(written.slice(-CONTENT_LIMITS.fenceOptionsMax))?.[1]?.trimEnd()
}

/**
 * Creates a code node from the language and the options. Words that are not options become the
 * title.
 */
export function readCode(written: {
  readonly language: string | undefined
  readonly meta: string | undefined
  readonly text: string
}): CodeNode {
  const draft: Draft = {}
  let language = written.language
  const words: string[] = []
  const meta = (written.meta ?? '').slice(0, CONTENT_LIMITS.fenceOptionsMax)
  // The first word may be an option instead of the language: ``` lines, ``` nocopy, ``` {1,3}.
  if (language !== undefined && isOption(language)) {
    readMeta(language, draft, words)
    language = undefined
  }
  readMeta(meta, draft, words)
  const named = draft.other?.lang
  if (typeof named === 'string') language = named
  if (words.length > 0 && draft.title === undefined) draft.title = words.join(' ')
  const text = readMarks(written.text, draft)
  return { kind: 'code', language, options: draft, text }
}

function isOption(word: string): boolean {
  return (FLAGS as readonly string[]).includes(word) || /^\{[\d\s,-]*\}?$|^[\w-]+=/.test(word)
}

function readMeta(meta: string, draft: Draft, words: string[]): void {
  if (meta === '') return
  for (const match of meta.matchAll(PART)) {
    const [whole, key, double, single, braced, bare, ranges, word] = match
    if (ranges !== undefined) draft.highlight = readLines(ranges)
    else if (word !== undefined) readWord(word, draft, words)
    else if (key !== undefined) {
      readPair(key, double ?? single ?? braced ?? bare ?? '', draft)
    } else words.push(whole)
  }
}

function optionName(written: string): string {
  return Object.hasOwn(ALIASES, written) ? (ALIASES[written] ?? written) : written
}

function readWord(written: string, draft: Draft, words: string[]): void {
  const word = /^\[(\w+)\]$/.exec(written)?.[1] ?? written
  const name = optionName(word)
  const flag = FLAGS.find((known) => known === name)
  if (flag !== undefined) draft[flag] = true
  else words.push(written)
}

function readPair(written: string, value: string, draft: Draft): void {
  const key = optionName(written)
  const flag = FLAGS.find((known) => known === key)
  const text = TEXTS.find((known) => known === key)
  const range = RANGES.find((known) => known === key)
  if (flag !== undefined) draft[flag] = value !== 'false'
  else if (text !== undefined) {
    // `theme={null}` means no theme.
    if (value !== 'null') draft[text] = value
  } else if (range !== undefined) draft[range] = readLines(value)
  else {
    draft.other ??= Object.create(null) as Record<string, string | true>
    draft.other[key] = value
  }
}

/** Returns [1, 3, 4, 5] for `1,3-5`, up to the maximum number of lines. */
function readLines(written: string): readonly number[] {
  const lines: number[] = []
  for (const [, from = '', to] of written.matchAll(/(\d+)(?:\s*-\s*(\d+))?/g)) {
    const last = Number(to ?? from)
    for (let line = Number(from); line <= last; line += 1) {
      if (lines.length >= CONTENT_LIMITS.fenceOptionsMax) return lines
      lines.push(line)
    }
  }
  return lines
}

const MARK =
  /[ \t]*(?:\/\/|#|--|\/\*|<!--|;|%|\{\/\*)[ \t]*\[!code[ \t]+(\+\+|--|highlight|hl|focus)(?::(\d{1,4}))?\][ \t]*(?:\*\/\}?|-->)?[ \t]*$/

const MARKED = {
  '++': 'added',
  '--': 'removed',
  highlight: 'highlight',
  hl: 'highlight',
  focus: 'focus',
} as const

/** Moves `// [!code ++]` and similar markers from the code to the options. */
function readMarks(text: string, draft: Draft): string {
  if (!text.includes('[!code ')) return text
  const lines = text.split('\n')
  // Markers in a nested fence, such as in an example of Markdown, do not apply to this code.
  let isInFence = false
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isInFence = !isInFence
    const match = !isInFence && line.length < 10_000 ? MARK.exec(line) : null
    if (match === null) continue
    const list = MARKED[match[1] as keyof typeof MARKED]
    const count = Math.min(Number(match[2] ?? 1), lines.length - index)
    const marked = Array.from({ length: count }, (_, further) => index + 1 + further)
    draft[list] = [...new Set([...(draft[list] ?? []), ...marked])].sort((a, b) => a - b)
    lines[index] = line.slice(0, match.index)
  }
  return lines.join('\n')
}
