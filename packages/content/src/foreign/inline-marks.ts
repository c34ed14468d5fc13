/** Finds inline syntax ("marks") of other tools in a line of text. */
import { findAttributeLists } from './attribute-lists.ts'
import { EMOJI } from './emoji.ts'
import type { Range } from './foreign-syntax.ts'
import { literalParts } from './source-lines.ts'

export type Mark = Range & {
  readonly tool: string
  readonly what: string
  readonly hint: string
  /** The part of the message about what readers see; by default, that the mark is shown as text. */
  readonly effect?: string
  /** The exact replacement in Octavo's syntax, if there is one. */
  readonly put?: string | undefined
}

type Format = 'mdx' | 'md'

/** Returns the marks in a line, in order. If two overlap, only the first is returned. */
export function findMarks(text: string, format: Format): readonly Mark[] {
  if (!MARK.test(text)) return []
  const candidates = [
    ...headingIds(text),
    ...attributes(text),
    ...PATTERNS.flatMap((pattern) => matches(text, pattern, format)),
  ]
  if (candidates.length === 0) return []
  const literal = literalParts(text)
  const isText = (at: number) =>
    text.charAt(at - 1) !== '\\' && !literal.some(({ start, end }) => start <= at && at < end)
  const marks = candidates.filter(
    ({ start, end }) => isText(start) && (text.startsWith('\\(', start) || isText(end - 1)),
  )
  let last = 0
  return marks
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < last) return false
      last = end
      return true
    })
}

const HEADING = /^\s{0,3}#{1,6}\s/

/**
 * Finds heading ids such as `## Title [#id]` in Nextra and `%{#id}%` in translated VitePress pages.
 */
function headingIds(text: string): readonly Mark[] {
  if (!text.includes('#') || !HEADING.test(text)) return []
  const [all = '', nextra, vue] = /\[#([^\s\]]+)\]\s*$|%\{#([^\s}]+)\}%\s*$/.exec(text) ?? []
  const id = nextra ?? vue
  if (id === undefined) return []
  const start = text.length - all.length
  const tool = nextra === undefined ? 'VitePress' : 'Nextra'
  const mark = { tool, what: 'the id of a heading', hint: `Write \`{#${id}}\`.` }
  return [{ ...mark, start, end: start + all.trimEnd().length, put: `{#${id}}` }]
}

function attributes(text: string): readonly Mark[] {
  if (!text.includes('{')) return []
  const isHeading = HEADING.test(text)
  return findAttributeLists(text).flatMap(({ start, end, id, others }): readonly Mark[] => {
    const before = text.slice(0, start)
    const after = text.slice(end).trim()
    const isAlone = before.trim() === '' && after === ''
    if (isHeading && after === '' && id !== undefined) {
      const put = `{#${id}}`
      if (text.slice(start, end) === put) return []
      const what = 'the id of a heading'
      return [{ tool: 'MkDocs', what, hint: `Write \`${put}\`.`, start, end, put }]
    }
    const follows = /[)\]`*_>:"]$/.test(before) || (isHeading && after === '')
    if (!isAlone && !follows) return []
    const tool = 'MkDocs or VitePress'
    const what = 'a list of attributes'
    // An id or a size would be lost. A class of the other tool has no effect in Octavo anyway.
    const isNeeded = id !== undefined || others.some((part) => /^(?:width|height)=/.test(part))
    if (isNeeded) {
      const hint =
        'Remove it, or write an element with these attributes, such as `<img width="300" />`.'
      return [{ tool, what, hint, start, end }]
    }
    const from = isHeading ? before.trimEnd().length : start
    return [{ tool, what, hint: 'Remove it.', start: from, end, put: '' }]
  })
}

type Pattern = {
  /** A substring of every match. Most lines do not contain it, so they are not searched. */
  readonly sign: string
  readonly tool: string
  readonly what: string
  readonly find: RegExp
  readonly effect?: string
  readonly hint: string | ((match: RegExpExecArray) => string)
  readonly put?: (match: RegExpExecArray, format: Format) => string | undefined
  /** Returns false if the match is not this mark. */
  readonly accept?: (match: RegExpExecArray) => boolean
}

/**
 * All repetitions in the expressions are limited, so that the time is linear in the length of a
 * line.
 */
const PATTERNS: readonly Pattern[] = [
  {
    sign: '++',
    tool: 'MkDocs',
    what: 'a list of keys',
    find: /(?<![\w+])\+\+(?:[a-z0-9-]{1,20}|"[^"+]{1,30}")(?:\+(?:[a-z0-9-]{1,20}|"[^"+]{1,30}")){0,5}\+\+/g,
    hint: 'Write `<kbd>Ctrl</kbd>` for each key.',
    put: ([keys]) =>
      keysOf(keys)
        .map((key) => `<kbd>${keyName(key)}</kbd>`)
        .join('+'),
  },
  {
    sign: ':',
    tool: 'MkDocs',
    what: 'an icon',
    find: /:(material|octicons|fontawesome|simple|lucide|bootstrap)[-/]([a-z0-9/-]{1,60}):/g,
    hint: ([, set = '', name = '']) =>
      set === 'lucide'
        ? `Write \`<Icon icon="${name}" iconLibrary="lucide" />\`.`
        : 'Write `<Icon icon="…" />`.',
    put: ([, set = '', name = ''], format) => (format === 'mdx' ? icon(set, name) : undefined),
  },
  {
    sign: ':',
    tool: 'GitHub and other tools',
    what: 'an emoji',
    find: /(?<![\w:]):([a-z0-9_+]{1,30}):(?![\w:])/g,
    accept: ([, name = '']) => EMOJI.has(name),
    hint: ([, name = '']) => `Write ${EMOJI.get(name)}.`,
    put: ([, name = '']) => EMOJI.get(name),
  },
  {
    sign: '==',
    tool: 'MkDocs',
    what: 'marked text',
    find: /(?<![=\w<>!])==(?=[^\s=])([^=\n]{1,200})(?<=[^\s=])==(?![=\w>])/g,
    hint: 'Write `<mark>` and `</mark>` around the text.',
    put: ([, text]) => `<mark>${text}</mark>`,
  },
  {
    sign: '^^',
    tool: 'MkDocs',
    what: 'inserted text',
    find: /\^\^(?=[^\s^])([^^\n]{1,200})\^\^/g,
    hint: 'Write `<ins>` and `</ins>` around the text.',
    put: ([, text]) => `<ins>${text}</ins>`,
  },
  {
    sign: '{',
    tool: 'MkDocs',
    what: 'an edit',
    find: /\{(\+\+|--|==|>>)([^{}\n]{1,200})(?:\+\+|--|==|<<)\}/g,
    hint: 'Write `<ins>`, `<del>` or `<mark>`, or keep only the text.',
    put: ([, sign, text]) => {
      const tag = { '++': 'ins', '--': 'del', '==': 'mark' }[sign ?? '']
      return tag === undefined ? undefined : `<${tag}>${text}</${tag}>`
    },
  },
  {
    sign: '~',
    tool: 'MkDocs',
    what: 'a subscript',
    effect: 'here it is struck through',
    find: /(?<=[A-Za-z)])~([\w+-]{1,8})~(?!~)/g,
    hint: 'Write `<sub>` and `</sub>` around the text.',
    put: ([, text]) => `<sub>${text}</sub>`,
  },
  {
    sign: '^',
    tool: 'MkDocs',
    what: 'a superscript',
    find: /(?<=[A-Za-z0-9)])\^([\w+-]{1,8})\^(?![\w^])/g,
    hint: 'Write `<sup>` and `</sup>` around the text.',
    put: ([, text]) => `<sup>${text}</sup>`,
  },
  {
    sign: '\\(',
    tool: 'MkDocs and other tools',
    what: 'a formula',
    effect: 'here it is shown as text in parentheses',
    // `\(` is also an escaped parenthesis in Markdown, so a formula must contain a command or a
    // power.
    find: /\\\((?=[^\n]{0,200}?(?:\\[A-Za-z]{2}|\w\^[\w{]))([^\n]{1,200}?)\\\)/g,
    accept: ([, formula = '']) => /\\[A-Za-z]{2}|\w\^[\w{]/.test(formula),
    hint: 'Write `$` before and after the formula.',
    put: ([, formula = '']) => `$${formula.trim()}$`,
  },
  {
    sign: '{{',
    tool: 'MkDocs, VitePress or a template language',
    what: 'an expression',
    find: /(?<![$\\])\{\{-?([^{}\n]{1,200})\}\}/g,
    // A plain name is not foreign: it is a variable from docs.json.
    accept: ([, code = '']) => /[($|]|^\s*["']|\s\w/.test(code.trim()) && !/^\s*\/\*|:/.test(code),
    hint: 'Octavo does not run templates. Write the result.',
  },
  {
    sign: '{%',
    tool: 'GitBook, Jinja or Liquid',
    what: 'a tag',
    find: /\{%[^%\n]{1,300}%\}/g,
    hint: 'Octavo does not run templates. Write the result, or use a component.',
  },
]

/**
 * Matches the position before a character that can begin a mark, so that letters and spaces are
 * skipped quickly.
 */
export const SIGN = /(?=[:!?=/{%[\]*<@+^~(`#\\-])/

/** Matches text that may contain a mark. Most lines contain none. */
export const MARK = new RegExp(
  `${SIGN.source}(?:${[
    // Attribute lists and heading ids.
    /\{:?\s*(?:[.#][\w-]|[\w:-]+=)|%\{#|\[#/,
    ...PATTERNS.filter(({ sign }) => sign !== '{{').map(({ find }) => find),
    /\{\{-?(?=[^{}\n:]{1,200}\}\})(?:\s*["']|[^{}\n]{0,200}?(?:[($|]|[^\s{}]\s+\w))/,
  ]
    .map(({ source }) => source)
    .join('|')})`,
  'i',
)

function matches(text: string, pattern: Pattern, format: Format): readonly Mark[] {
  const { sign, tool, what, find, effect, hint, put, accept } = pattern
  if (!text.includes(sign)) return []
  return [...text.matchAll(find)]
    .filter((match) => accept?.(match) !== false)
    .map((match) => ({
      tool,
      what,
      hint: typeof hint === 'string' ? hint : hint(match),
      start: match.index,
      end: match.index + match[0].length,
      put: put?.(match, format),
      ...(effect !== undefined && { effect }),
    }))
}

function keysOf(written: string): readonly string[] {
  return written.slice(2, -2).split('+')
}

function keyName(written: string): string {
  if (written.startsWith('"')) return written.slice(1, -1)
  return written
    .replace(/^arrow-/, '')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** Returns the icon of the same name; undefined if Octavo does not have its library. */
function icon(set: string, name: string): string | undefined {
  if (set === 'lucide') return `<Icon icon="${name}" iconLibrary="lucide" />`
  if (set !== 'fontawesome') return undefined
  const [, style, rest] = /^(brands|solid|regular)[-/](.+)$/.exec(name) ?? []
  return rest === undefined ? undefined : `<Icon icon="${rest}" iconType="${style}" />`
}

/** Replaces the marks in a line that have an exact replacement. */
export function replaceMarks(text: string, format: Format): string {
  let result = ''
  let from = 0
  for (const { start, end, put } of findMarks(text, format)) {
    if (put === undefined) continue
    result += text.slice(from, start) + put
    from = end
  }
  return result + text.slice(from)
}
