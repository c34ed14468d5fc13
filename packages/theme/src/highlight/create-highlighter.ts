/**
 * Highlights code as HTML, line by line. The same HTML serves light and dark pages: each token has
 * the class of its kind, and the stylesheet sets the color of the class.
 */
import { languageAliasNames, languageNames } from '@shikijs/langs'
import { createShikiPrimitive, type LanguageRegistration } from '@shikijs/primitive'
import { EncodedTokenMetadata, type IGrammar, INITIAL } from '@shikijs/vscode-textmate'
import { escapeHtml } from '../markup/html.ts'
import { type ColoredLine, KnownLines, type KnownState } from './known-lines.ts'
import {
  createPatternEngine,
  SearchBudget,
  SearchLimit,
  translatePattern,
} from './pattern-scanner.ts'
import { RecentCache } from './recent-cache.ts'
import { colorShellSession, isShellSession } from './shell-session.ts'
import { classesOf, KIND_THEME } from './token-kinds.ts'
import type { Translation, Translations } from './translate-grammar.ts'

/** Returns the HTML of each line. Code in an unknown or unloaded language stays plain text. */
export type Highlight = (text: string, language: string | undefined) => readonly string[]

export type Highlighter = {
  readonly highlight: Highlight
  /** Loads languages and skips unknown names. */
  readonly load: (languages: Iterable<string>) => Promise<void>
}

export const HIGHLIGHT_LIMITS = {
  /** Code with more characters is not highlighted. */
  textLengthMax: 100_000,
  /** Patterns may take superlinear time, so code with a longer line is not highlighted. */
  lineLengthMax: 5_000,
  /** The maximum number of open rules at the end of a line; each one slows down searches. */
  depthMax: 500,
  /** The maximum number of pattern searches: per character, but at least a fixed number. */
  searchesPerCharacter: 60,
  searchesAtLeast: 20_000,
  /** The maximum number of cached characters, since the same block often appears on many pages. */
  cacheLengthMax: 4_000_000,
} as const

/** Names that authors use for a language, with the name of its grammar. */
const ALIASES: Readonly<Record<string, string>> = {
  curl: 'shellscript',
  terminal: 'shellscript',
  command: 'shellscript',
  cmd: 'bat',
  golang: 'go',
  node: 'javascript',
  'node.js': 'javascript',
  nodejs: 'javascript',
  env: 'dotenv',
  proto3: 'proto',
  'c#': 'csharp',
  'c++': 'cpp',
  dotnet: 'csharp',
  patch: 'diff',
  gradle: 'groovy',
  conf: 'ini',
  svg: 'xml',
  flutter: 'dart',
  response: 'json',
  jsonp: 'javascript',
  mysql: 'sql',
  postgresql: 'sql',
  postgres: 'sql',
  tact: 'typescript',
}

const KNOWN: ReadonlySet<string> = new Set([...languageNames, ...languageAliasNames])

/** Languages that are almost always embedded in another one, but not included in its grammar. */
const INSIDE: Readonly<Record<string, readonly string[]>> = { mdx: ['yaml', 'tsx'] }

/** Imports a grammar. The name comes from the package's own list, never from an author's text. */
async function importLanguage(name: string): Promise<LanguageRegistration[]> {
  const module: { readonly default: LanguageRegistration[] } = await import(
    /* @vite-ignore */ `@shikijs/langs/${name}`
  )
  return module.default
}

type Language = {
  readonly grammar: IGrammar
  readonly classes: readonly string[]
  readonly lines: KnownLines
}

export type HighlighterOptions = {
  /**
   * True if the engine compiles patterns immediately (`--no-regexp-tier-up`). Otherwise, in Node
   * 24, some patterns with `(?i:…)` stop matching after repeated use, depending on what ran before.
   */
  readonly compilesAtOnce?: boolean
  /**
   * Returns the patterns of a language, translated ahead of time, for engines that compile
   * immediately.
   */
  readonly translated?: ((language: string) => Translations | undefined) | undefined
}

export function createHighlighter({
  compilesAtOnce,
  translated,
}: HighlighterOptions = {}): Highlighter {
  const languages = new Map<string, Language>()
  const budget = new SearchBudget()
  const known = new Map<string, Translation>()
  const translate = (source: string): RegExp => {
    if (compilesAtOnce !== true) return translatePattern(source, 'ES2024')
    const found = known.get(source)
    if (found === undefined) return translatePattern(source, 'ES2025')
    return new RegExp(found[0], found[1])
  }
  const engine = createPatternEngine(budget, translate)
  const cache = new RecentCache<readonly string[]>(HIGHLIGHT_LIMITS.cacheLengthMax)

  async function loadLanguage(name: string): Promise<void> {
    if (languages.has(name)) return
    const names = [...(INSIDE[name] ?? []), name]
    const parts = await Promise.all(names.map(importLanguage))
    const owns = parts.map((part, index) => part.at(-1)?.name ?? names[index] ?? name)
    for (const own of owns)
      for (const [source, it] of Object.entries(translated?.(own) ?? {})) known.set(source, it)
    const own = owns.at(-1) ?? name
    // Each language has its own registry: with a shared one, the colors of Markdown would depend on
    // which other languages were loaded before.
    const shiki = createShikiPrimitive({
      engine,
      langs: parts,
      themes: [KIND_THEME],
      warnings: false,
    })
    const { colorMap } = shiki.setTheme(KIND_THEME.name ?? '')
    const lines = new KnownLines()
    languages.set(name, { grammar: shiki.getLanguage(own), classes: classesOf(colorMap), lines })
  }

  function highlight(text: string, written: string | undefined): readonly string[] {
    const name = languageName(written)
    const language = name === undefined ? undefined : languages.get(name)
    if (language === undefined || text.length > HIGHLIGHT_LIMITS.textLengthMax) return plain(text)
    const key = `${name}\n${text}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const { searchesAtLeast, searchesPerCharacter } = HIGHLIGHT_LIMITS
    budget.reset(searchesAtLeast + text.length * searchesPerCharacter)
    const color = (code: string) => tokenize(code, language, budget)
    const lines =
      name !== undefined && isShellSession(name, text)
        ? colorShellSession(splitLines(text), color)
        : color(text)
    cache.set(
      key,
      lines,
      lines.reduce((sum, line) => sum + line.length, key.length),
    )
    return lines
  }

  return {
    highlight,
    async load(written) {
      const names = new Set([...written].map(languageName).filter((name) => name !== undefined))
      await Promise.all([...names].map(loadLanguage))
    },
  }
}

/** Returns the grammar name for the language of a fence. */
function languageName(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  const name = written.toLowerCase()
  const meant = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name
  return meant !== undefined && KNOWN.has(meant) ? meant : undefined
}

function plain(text: string): readonly string[] {
  return splitLines(text).map(escapeHtml)
}

function splitLines(text: string): readonly string[] {
  return text.split(/\r?\n/)
}

function tokenize(text: string, language: Language, budget: SearchBudget): readonly string[] {
  const lines = splitLines(text)
  if (lines.some((line) => line.length > HIGHLIGHT_LIMITS.lineLengthMax)) return plain(text)
  const result: string[] = []
  let state = language.lines.stateOf(INITIAL)
  try {
    for (const line of lines) {
      const { html, next } = colorLine(line, state, language, budget)
      result.push(html)
      state = next
      if (state.state.depth > HIGHLIGHT_LIMITS.depthMax) throw new SearchLimit()
    }
  } catch (error) {
    // The stack overflows if a pattern backtracks too deeply.
    if (!(error instanceof SearchLimit || error instanceof RangeError)) throw error
    for (const line of lines.slice(result.length)) result.push(escapeHtml(line))
  }
  return result
}

function colorLine(
  line: string,
  before: KnownState,
  { grammar, classes, lines }: Language,
  budget: SearchBudget,
): ColoredLine {
  const known = before.lines.get(line)
  if (known !== undefined) {
    // A cached line costs as many searches as when it was first highlighted; otherwise, the result
    // would depend on which pages were rendered earlier.
    budget.spend(known.searches)
    return known
  }
  const left = budget.left
  const { tokens, ruleStack } = grammar.tokenizeLine2(line, before.state)
  const html = writeLine(line, tokens, classes)
  const colored = { html, next: lines.stateOf(ruleStack), searches: left - budget.left }
  lines.add(line, before, colored)
  return colored
}

/**
 * Renders a line; `tokens` contains pairs of start position and metadata. Adjacent tokens of the
 * same kind are joined.
 */
function writeLine(line: string, tokens: Uint32Array, classes: readonly string[]): string {
  let html = ''
  let from = 0
  let kind = ''
  for (let index = 0; index < tokens.length; index += 2) {
    const start = tokens[index] ?? 0
    const next = classes[EncodedTokenMetadata.getForeground(tokens[index + 1] ?? 0)] ?? ''
    if (next === kind) continue
    const end = tokens[index + 2] ?? line.length
    // Whitespace has no color, so it does not start a new token.
    if (line.slice(start, end).trim() === '') continue
    html += span(kind, line.slice(from, start))
    from = start
    kind = next
  }
  return html + span(kind, line.slice(from))
}

function span(kind: string, text: string): string {
  if (text === '') return ''
  return kind === '' ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`
}
