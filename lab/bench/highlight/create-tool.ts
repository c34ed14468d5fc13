/**
 * Creates the highlighters to compare: ours, ours with Shiki's engines, and Shiki as users run it.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  createHighlighter,
  HIGHLIGHT_LIMITS,
} from '../../../packages/theme/src/highlight/create-highlighter.ts'
import { KnownLines } from '../../../packages/theme/src/highlight/known-lines.ts'
import { SearchBudget, SearchLimit } from '../../../packages/theme/src/highlight/pattern-scanner.ts'
import { RecentCache } from '../../../packages/theme/src/highlight/recent-cache.ts'
import { classesOf, KIND_THEME } from '../../../packages/theme/src/highlight/token-kinds.ts'
import type { Translations } from '../../../packages/theme/src/highlight/translate-grammar.ts'
import { escapeHtml } from '../../../packages/theme/src/markup/html.ts'

export type Tool = {
  readonly load: (language: string) => Promise<void>
  readonly highlight: (text: string, language: string) => readonly string[]
}
export type Setup = {
  /** The folder in which Shiki is installed. */
  readonly folder: string
  /** Translations by grammar name. */
  readonly translations: Readonly<Record<string, Translations>>
}
export type ToolName =
  | 'octavo'
  | 'octavo, from source'
  | 'shiki engine'
  | 'shiki engine, our caches'
  | 'shiki engine, as a replacement'
  | 'shiki precompiled, our caches'
  | 'shiki core'
  | 'oniguruma'

type Grammars = readonly { readonly name: string }[]
type Scanner = { readonly findNextMatchSync: (...args: readonly unknown[]) => unknown }
type Engine = {
  readonly createScanner: (sources: readonly string[]) => Scanner
  readonly createString: (line: string) => unknown
}
type State = Parameters<KnownLines['stateOf']>[0]
type Colored = { readonly tokens: Uint32Array; readonly ruleStack: State }
type Grammar = {
  readonly tokenizeLine2: (line: string, state: State, limitMs: number) => Colored
}
type Primitive = {
  readonly setTheme: (name: string) => { readonly colorMap: readonly string[] }
  readonly getLanguage: (name: string) => Grammar
}
type Language = {
  readonly grammar: Grammar
  readonly classes: readonly string[]
  readonly lines: KnownLines
}

/** Shiki's time limit for one line. Because it is a time, the result depends on the machine. */
const SHIKI_LINE_MS = 500
/**
 * The limit on scanner calls, which replaces our limit on searches. No ordinary block in our
 * samples reaches it.
 */
const QUESTIONS = { perCharacter: 20, atLeast: 5_000 } as const
/** The maximum nesting depth of rules at the end of a line. */
const DEPTH_MAX = 500
/** The languages that are embedded in others, as in Octavo's highlighter. */
const INSIDE: Readonly<Record<string, readonly string[]>> = { mdx: ['yaml', 'tsx'] }
const AT_ONCE = '--no-regexp-tier-up'

export async function createTool(name: ToolName, setup: Setup): Promise<Tool> {
  switch (name) {
    case 'octavo':
    case 'octavo, from source': {
      const translated = (language: string) =>
        name === 'octavo' ? setup.translations[language] : undefined
      const compilesAtOnce = process.execArgv.includes(AT_ONCE)
      const { load, highlight } = createHighlighter({ compilesAtOnce, translated })
      return { load: (language) => load([language]), highlight }
    }
    case 'shiki core':
      return createCore(setup)
    case 'shiki engine':
    case 'oniguruma':
      return createEngineTool(setup, { engine: await createEngine(setup, name) })
    case 'shiki engine, our caches':
      return createEngineTool(setup, { engine: await createEngine(setup, name), isCaching: true })
    case 'shiki precompiled, our caches': {
      const engine = await createEngine(setup, name)
      return createEngineTool(setup, { engine, isCaching: true, langs: 'langs-precompiled' })
    }
    case 'shiki engine, as a replacement': {
      const budget = new SearchBudget()
      const engine = withBudget(await createEngine(setup, name), budget)
      return createEngineTool(setup, { engine, isCaching: true, budget })
    }
  }
}

async function createEngine({ folder, translations }: Setup, name: ToolName): Promise<Engine> {
  if (name === 'oniguruma') {
    const { createOnigurumaEngine } = await importFrom<{
      createOnigurumaEngine: (wasm: unknown) => Promise<Engine>
    }>(folder, '@shikijs/engine-oniguruma')
    return createOnigurumaEngine(importFrom(folder, '@shikijs/engine-oniguruma/wasm-inlined'))
  }
  const { createJavaScriptRegexEngine, ...others } = await importFrom<{
    createJavaScriptRegexEngine: (options: object) => Engine
    createJavaScriptRawEngine: () => Engine
    defaultJavaScriptRegexConstructor: (source: string) => RegExp
  }>(folder, '@shikijs/engine-javascript')
  if (name === 'shiki precompiled, our caches') return others.createJavaScriptRawEngine()
  if (name !== 'shiki engine, as a replacement')
    return createJavaScriptRegexEngine({ forgiving: true })
  const known = new Map(Object.values(translations).flatMap((it) => Object.entries(it)))
  const regexConstructor = (source: string) => {
    const found = known.get(source)
    if (found === undefined) return others.defaultJavaScriptRegexConstructor(source)
    return new RegExp(found[0], found[1])
  }
  return createJavaScriptRegexEngine({ forgiving: true, regexConstructor })
}

/**
 * Adds two features of our scanner to an engine: a limit on the number of calls, and lines reduced
 * to Latin-1.
 */
function withBudget(engine: Engine, budget: SearchBudget): Engine {
  return {
    createScanner(sources) {
      const scanner = engine.createScanner(sources)
      return {
        findNextMatchSync(...args) {
          budget.spend()
          return scanner.findNextMatchSync(...args)
        },
      }
    },
    createString: (line) => engine.createString(line.replaceAll(/[^\0-\xff]/g, standIn)),
  }
}

function standIn(sign: string): string {
  if (/[\p{L}\p{N}\p{M}]/u.test(sign)) return '\xaa'
  return sign.trim() === '' ? '\xa0' : '\xa4'
}

type EngineOptions = {
  readonly engine: Engine
  readonly isCaching?: boolean
  readonly langs?: string
  /** The limit on calls, which replaces the time limit. */
  readonly budget?: SearchBudget
}

/**
 * Creates a highlighter with a different engine, but with the token kinds and HTML of Octavo. Each
 * language has its own registry.
 */
async function createEngineTool(
  { folder }: Setup,
  { engine, isCaching = false, langs = 'langs', budget }: EngineOptions,
): Promise<Tool> {
  const { createShikiPrimitive } = await importFrom<{
    createShikiPrimitive: (options: object) => Primitive
  }>(folder, '@shikijs/primitive')
  const { INITIAL, EncodedTokenMetadata } = await importFrom<{
    INITIAL: State
    EncodedTokenMetadata: { getForeground: (metadata: number) => number }
  }>(folder, '@shikijs/vscode-textmate')
  const languages = new Map<string, Language>()
  const blocks = new RecentCache<readonly string[]>(HIGHLIGHT_LIMITS.cacheLengthMax)

  function open(parts: readonly Grammars[]): Language {
    const options = { engine, langs: parts, themes: [KIND_THEME], warnings: false }
    const primitive = createShikiPrimitive(options)
    const classes = classesOf(primitive.setTheme(KIND_THEME.name ?? '').colorMap)
    const own = parts.at(-1)?.at(-1)?.name ?? ''
    return { grammar: primitive.getLanguage(own), classes, lines: new KnownLines() }
  }

  function color(line: string, before: State, { grammar, classes }: Language) {
    const limitMs = budget === undefined ? SHIKI_LINE_MS : 0
    const { tokens, ruleStack } = grammar.tokenizeLine2(line, before, limitMs)
    if (budget !== undefined && ruleStack.depth > DEPTH_MAX) throw new SearchLimit('too deep')
    const kinds = (metadata: number) => classes[EncodedTokenMetadata.getForeground(metadata)] ?? ''
    return { html: writeLine(line, tokens, kinds), state: ruleStack }
  }

  function* withCaches(lines: readonly string[], language: Language): Generator<string> {
    let known = language.lines.stateOf(INITIAL)
    for (const line of lines) {
      let found = known.lines.get(line)
      if (found === undefined) {
        const { html, state } = color(line, known.state, language)
        found = { html, next: language.lines.stateOf(state), searches: 0 }
        language.lines.add(line, known, found)
      }
      known = found.next
      yield found.html
    }
  }

  function* withoutCaches(lines: readonly string[], language: Language): Generator<string> {
    let before = INITIAL
    for (const line of lines) {
      const { html, state } = color(line, before, language)
      before = state
      yield html
    }
  }

  function colorAll(text: string, language: Language): readonly string[] {
    const lines = text.split(/\r?\n/)
    const result: string[] = []
    budget?.reset(QUESTIONS.atLeast + text.length * QUESTIONS.perCharacter)
    const colored = (isCaching ? withCaches : withoutCaches)(lines, language)
    try {
      for (const html of colored) result.push(html)
    } catch (error) {
      if (!(error instanceof SearchLimit)) throw error
      for (const line of lines.slice(result.length)) result.push(escapeHtml(line))
    }
    return result
  }

  return {
    async load(name) {
      const names = [...(INSIDE[name] ?? []), name]
      languages.set(name, open(await Promise.all(names.map((it) => grammarsOf(folder, it, langs)))))
    },
    highlight(text, name) {
      const language = languages.get(name)
      if (language === undefined) throw new Error(`${name} is not loaded`)
      if (!isCaching) return colorAll(text, language)
      const key = `${name}\n${text}`
      const lines = blocks.get(key) ?? colorAll(text, language)
      blocks.set(key, lines, key.length * 2)
      return lines
    },
  }
}

/** Writes a line in the same format as Octavo's highlighter. */
function writeLine(line: string, tokens: Uint32Array, kinds: (metadata: number) => string): string {
  let html = ''
  let from = 0
  let kind = ''
  const end = (to: number) => {
    const text = escapeHtml(line.slice(from, to))
    html += kind === '' || text === '' ? text : `<span class="${kind}">${text}</span>`
    from = to
  }
  for (let index = 0; index < tokens.length; index += 2) {
    const start = tokens[index] ?? 0
    const next = kinds(tokens[index + 1] ?? 0)
    if (next === kind || line.slice(start, tokens[index + 2] ?? line.length).trim() === '') continue
    end(start)
    kind = next
  }
  end(line.length)
  return html
}

/** Creates Shiki with one registry for all languages, which writes HTML with colors in `style`. */
async function createCore(setup: Setup): Promise<Tool> {
  const { createHighlighterCoreSync } = await importFrom<{
    createHighlighterCoreSync: (options: object) => {
      readonly loadLanguageSync: (grammars: Grammars) => void
      readonly codeToHtml: (text: string, options: object) => string
    }
  }>(setup.folder, '@shikijs/core')
  const engine = await createEngine(setup, 'shiki core')
  const core = createHighlighterCoreSync({ engine, langs: [], themes: [KIND_THEME] })
  return {
    load: async (language) => core.loadLanguageSync(await grammarsOf(setup.folder, language)),
    highlight: (text, lang) => [core.codeToHtml(text, { lang, theme: KIND_THEME.name ?? '' })],
  }
}

export async function grammarsOf(folder: string, name: string, langs = 'langs'): Promise<Grammars> {
  return (await importFrom<{ default: Grammars }>(folder, `@shikijs/${langs}/${name}`)).default
}

/** Returns the languages to highlight. Diagrams have a grammar too, but are drawn instead. */
export async function knownLanguages(folder: string): Promise<ReadonlySet<string>> {
  const { languageNames, languageAliasNames } = await importFrom<{
    languageNames: readonly string[]
    languageAliasNames: readonly string[]
  }>(folder, '@shikijs/langs')
  return new Set([...languageNames, ...languageAliasNames].filter((name) => name !== 'mermaid'))
}

async function importFrom<Module>(folder: string, name: string): Promise<Module> {
  const path = createRequire(join(folder, 'package.json')).resolve(name)
  return (await import(pathToFileURL(path).href)) as Module
}
