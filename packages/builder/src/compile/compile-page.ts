/** Compiles one page file to the data for its outputs. Workers run this part of a build. */
import {
  createPageParser,
  type Page,
  type PageFormula,
  type PageHeading,
  type PageLink,
  type PageNode,
  type PageParser,
  pageSections,
  printMarkdown,
  type StrippedModule,
  type TextSection,
} from '@octavo/content'
import { type Config, type Diagnostic, diagnose, SourceText } from '@octavo/model'
import {
  type ContentContext,
  createHighlighter,
  type Highlighter,
  type IconLibrary,
  type InterfaceText,
  loadLanguages,
  loadMath,
  type PageFeature,
  PageNotes,
  type RenderMath,
  renderContent,
  type StylePart,
} from '@octavo/theme'
import { openIconLibrary } from '../load/load-icons.ts'
import { MissingIcons } from '../load/missing-icons.ts'
import type { AssetFacts } from '../source/images/asset-facts.ts'
import { EMPTY_PAGE } from './append-page.ts'
import { checkLength } from './check-length.ts'
import { compilesAtOnce } from './engine-flags.ts'
import { ISLAND_LOADER_URL, islandModuleUrl } from './island-address.ts'
import { type CodePlaces, codePlaces, type KnownCode, prepareHighlight } from './known-code.ts'
import { manualPage } from './manual-page.ts'
import { joinOrigins, type Origins, originsOf } from './origins.ts'
import { translatedPatterns } from './own-files.ts'
import { createPageAssets } from './page-assets.ts'
import { resolvePageLink } from './page-links.ts'
import { type PageUpdate, pageUpdates } from './page-updates.ts'
import { type StripTypes, strippedModule } from './stripped-module.ts'

/** Loads the script that starts the page's islands. */
export const ISLAND_LOADER_TAG = `<script type="module" src="${ISLAND_LOADER_URL}"></script>`

/** Limit for chains of TypeScript imports: the page is parsed again for each level. */
const TYPED_DEPTH_MAX = 32
const SCRIPT = /\.(?:[jt]sx?|mdx)$/

export type CompiledPage = {
  readonly html: string
  /** The page as Markdown for programs, without its title. */
  readonly markdown: string
  readonly headings: readonly PageHeading[]
  readonly links: readonly PageLink[]
  /** All ids in the HTML. */
  readonly ids: readonly string[]
  /** The visible text, split at headings; the first section has no heading. */
  readonly sections: readonly TextSection[]
  /** Files that the page includes. */
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** Positions of highlighted code in the HTML, for the next compilation of the page. */
  readonly code: CodePlaces
  /** The compilation failed but may succeed later, so the page is not cached. */
  readonly failed?: true
  /** Browser features that the page needs besides islands. */
  readonly features?: readonly PageFeature[]
  /** Files with components that run in the browser. */
  readonly islands?: readonly string[]
  /** Other hosts that the page loads from. */
  readonly origins?: Origins
  /** Stylesheets that the page needs besides the common one. */
  readonly styles?: readonly StylePart[]
  /** Utility classes in its content. */
  readonly utilities?: readonly string[]
  /** Entries of a changelog, for its feed. */
  readonly updates?: readonly PageUpdate[]
}

export type CompilerInput = {
  readonly read: (path: string) => string | undefined
  readonly factsOf: (path: string) => AssetFacts
  /** Required for pages that import TypeScript. */
  readonly stripTypes?: StripTypes | undefined
  /** `variables` of docs.json. */
  readonly variables: Readonly<Record<string, string>>
  /** `icons.library` of docs.json. */
  readonly iconLibrary: string | undefined
  /** Returns the language of a page's interface texts; English by default. */
  readonly languageOf?: (file: string) => string | undefined
  /** `api` of docs.json, for API pages written by hand. */
  readonly api?: Config['api'] | undefined
}

/** `known` is the highlighted code of the page's previous version. */
export type PageCompiler = (file: string, known?: KnownCode) => Promise<CompiledPage>

export function createPageHighlighter(): Highlighter {
  return createHighlighter({
    compilesAtOnce: compilesAtOnce(),
    translated: translatedPatterns,
  })
}

/** Creates a compiler for one build, with a cache of snippets and highlighted code. */
export function createPageCompiler(
  input: CompilerInput,
  highlighter = createPageHighlighter(),
): PageCompiler {
  const parse = createTypedParser(input)
  const icons = openIconLibrary(input.iconLibrary)
  return async (file, known = []) => {
    const text = input.read(file)
    if (text === undefined) return unreadable(file, 'it cannot be parsed')
    try {
      return await compilePage({ file, text, known }, { input, parse, icons, highlighter })
    } catch (error) {
      return unreadable(file, error instanceof Error ? error.message : String(error))
    }
  }
}

/** Parses pages and strips the types from the TypeScript modules that they import. */
function createTypedParser(input: CompilerInput): Tools['parse'] {
  const { read, variables } = input
  const modules = new Map<string, StrippedModule>()
  const parse = createPageParser({ read, variables, readStripped: (path) => modules.get(path) })
  return async (file, text) => {
    for (let depth = 0; depth <= TYPED_DEPTH_MAX; depth += 1) {
      const page = parse(file, text)
      if (page.typed.length === 0) return page
      if (input.stripTypes === undefined) throw new Error('no TypeScript compiler is available')
      for (const path of page.typed) {
        const typed = read(path) ?? ''
        const stripped = await input.stripTypes({ file: path, text: typed })
        modules.set(path, strippedModule(typed, stripped))
      }
    }
    throw new Error(`its TypeScript imports are nested more than ${TYPED_DEPTH_MAX} levels deep`)
  }
}

type PageSource = { readonly file: string; readonly text: string; readonly known: KnownCode }

type Tools = {
  readonly input: CompilerInput
  readonly parse: (...page: Parameters<PageParser>) => Promise<Page>
  readonly icons: IconLibrary
  readonly highlighter: Highlighter
}

async function compilePage(source: PageSource, tools: Tools): Promise<CompiledPage> {
  const { file, text } = source
  const { input } = tools
  const page = await tools.parse(file, text)
  const words = await wordsOf(input.languageOf?.(file))
  const manual = manualPage({ file, text, nodes: page.children, settings: input.api, words })
  const nodes = [...(manual?.nodes ?? []), ...page.children]
  const assets = createPageAssets(file, input.factsOf)
  const context: ContentContext = {
    highlight: await prepareHighlight(nodes, source.known, tools.highlighter),
    resolveLink: (url) => resolvePageLink(url, file),
    resolveAsset: assets.resolveAsset,
    imageSize: assets.imageSize,
    math: page.formulas.length === 0 ? undefined : await loadMath(),
    text: words,
  }
  const { html, notes, missingIcons } = render(nodes, context, tools.icons)
  if (manual !== undefined) notes.useParts(API_PARTS)
  const islands = [...islandFiles(nodes)].toSorted()
  const islandCode = islands.length === 0 ? [] : readIslandCode(text, page.files, input.read)
  for (const code of islandCode) notes.useClasses(code)
  const { headings } = page
  const markdown = printMarkdown(nodes)
  return {
    // The loader is needed only with islands.
    html: islands.length === 0 ? html : `${html}${ISLAND_LOADER_TAG}`,
    markdown,
    headings: notes.outline(headings),
    sections: pageSections(page.children, { headings, titles: notes.titles }),
    ids: notes.ids,
    links: page.links,
    files: [...new Set([...page.files, ...assets.looked])],
    diagnostics: [
      ...page.diagnostics,
      ...missingIcons.diagnose([file, ...page.files], input.read),
      ...checkFormulas(page.formulas, input.read, context.math),
      ...checkLength(markdown, file, 'this page'),
    ],
    code: codePlaces(notes.code),
    ...filled({
      updates: pageUpdates(nodes, context),
      islands,
      styles: notes.styleParts,
      utilities: notes.utilities,
      features: notes.features,
      origins: joinOrigins(originsOf(notes.loads, islandCode), manual?.origins),
    }),
  }
}

async function wordsOf(language: string | undefined): Promise<InterfaceText | undefined> {
  return language === undefined ? undefined : (await loadLanguages([language])).get(language)
}

const API_PARTS: readonly StylePart[] = ['api']

type Rendered = {
  readonly html: string
  readonly notes: PageNotes
  readonly missingIcons: MissingIcons
}

function render(nodes: readonly PageNode[], context: ContentContext, icons: IconLibrary): Rendered {
  const notes = new PageNotes()
  const missingIcons = new MissingIcons(icons)
  const html = renderContent(nodes, {
    ...context,
    notes,
    icons,
    onMissingIcon: missingIcons.add,
    islandModule: islandModuleUrl,
  })
  return { html, notes, missingIcons }
}

/** Returns the code of islands, which is on the page itself or in its imports. */
function readIslandCode(
  text: string,
  files: readonly string[],
  read: CompilerInput['read'],
): readonly string[] {
  const scripts = files.filter((path) => SCRIPT.test(path))
  return [text, ...scripts.map((path) => read(path) ?? '')]
}

/** Reports formulas that cannot be rendered; their source is shown instead. */
export function checkFormulas(
  formulas: readonly PageFormula[],
  read: CompilerInput['read'],
  math: RenderMath | undefined,
): readonly Diagnostic[] {
  return formulas.flatMap(({ text, display, file, offset }) => {
    const rendered = math?.(text, display)
    if (rendered?.kind !== 'refused') return []
    const { line, column } = new SourceText(file, read(file) ?? '').position(offset)
    const message = `The formula cannot be rendered, so its source is shown: ${rendered.reason}.`
    const hint = 'Fix it. If it is not a formula, write `\\$` for a literal dollar sign.'
    return [diagnose('content/syntax', { file, line, column }, { message, hint })]
  })
}

function islandFiles(nodes: readonly PageNode[], found = new Set<string>()): Set<string> {
  for (const node of nodes) {
    if (typeof node === 'string' || !('children' in node)) continue
    if (node.kind === 'island') found.add(node.source.file)
    islandFiles(node.children, found)
    if ('slots' in node)
      for (const slot of Object.values(node.slots ?? {})) islandFiles(slot, found)
  }
  return found
}

/** Removes empty facts: most pages have only a few. */
function filled<Facts extends object>(facts: Facts): Filled<Facts> {
  const entries = Object.entries(facts).filter(
    ([, fact]) => fact !== undefined && !(Array.isArray(fact) && fact.length === 0),
  )
  return Object.fromEntries(entries) as Filled<Facts>
}

type Filled<Facts> = { readonly [Name in keyof Facts]?: Exclude<Facts[Name], undefined> }

/** Returns a page with a diagnostic for a compilation that failed, so that the build continues. */
export function unreadable(file: string, reason: string): CompiledPage {
  const place = { file, line: 1, column: 1 }
  const message = `The page could not be compiled: ${reason}.`
  const hint = 'Simplify the page. If nothing in it looks unusual, please report it.'
  const diagnostics = [diagnose('content/limit', place, { message, hint })]
  return { ...EMPTY_PAGE, diagnostics, failed: true }
}
