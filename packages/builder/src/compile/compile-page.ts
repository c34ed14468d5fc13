/**
 * Compiles one page file to the data from which its output files are created. Workers run this part
 * of a build.
 */
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
  hasDiagrams,
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
import { openDiagrams } from './diagrams/draw-diagram.ts'
import { compilesAtOnce } from './engine-flags.ts'
import { findIslands, type IslandCode } from './find-islands.ts'
import { ISLAND_LOADER_URL, islandModuleUrl } from './island-address.ts'
import { type CodePlaces, codePlaces, type KnownCode, prepareHighlight } from './known-code.ts'
import { manualPage } from './manual-page.ts'
import { joinOrigins, type Origins, originsOf } from './origins.ts'
import { translatedPatterns } from './own-files.ts'
import { createPageAssets } from './page-assets.ts'
import { resolvePageLink } from './page-links.ts'
import { type PageUpdate, pageUpdates } from './page-updates.ts'
import { type StripTypes, strippedModule } from './stripped-module.ts'

/** The tag of the script that starts the islands of a page. */
export const ISLAND_LOADER_TAG = `<script type="module" src="${ISLAND_LOADER_URL}"></script>`

/** Maximum depth of TypeScript imports, because the page is parsed again for each level. */
const TYPED_DEPTH_MAX = 32
const SCRIPT = /\.(?:[jt]sx?|mdx)$/

export type CompiledPage = {
  readonly html: string
  /** The page as Markdown for programs, without the page title. */
  readonly markdown: string
  readonly headings: readonly PageHeading[]
  readonly links: readonly PageLink[]
  /** All ids that occur in the HTML. */
  readonly ids: readonly string[]
  /** The visible text, divided at headings. The first section has no heading. */
  readonly sections: readonly TextSection[]
  /** Files that the page includes. */
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** Positions of highlighted code in the HTML, which the next compilation of the page reuses. */
  readonly code: CodePlaces
  /** Set if the compilation failed but may succeed later. The page is then not cached. */
  readonly failed?: true
  /** Browser features that the page needs in addition to islands. */
  readonly features?: readonly PageFeature[]
  /** Files whose components run in the browser. */
  readonly islands?: readonly string[]
  /** Code in the page itself that runs in the browser. */
  readonly islandCode?: readonly IslandCode[]
  /** Origins of other hosts from which the page loads something. */
  readonly origins?: Origins
  /** Stylesheets that the page needs in addition to the common one. */
  readonly styles?: readonly StylePart[]
  /** Utility classes that the page's content uses. */
  readonly utilities?: readonly string[]
  /** The entries of a changelog page, for its feed. */
  readonly updates?: readonly PageUpdate[]
}

export type CompilerInput = {
  readonly read: (path: string) => string | undefined
  readonly factsOf: (path: string) => AssetFacts
  /** Only required for pages that import TypeScript. */
  readonly stripTypes?: StripTypes | undefined
  /** The value of `variables` in docs.json. */
  readonly variables: Readonly<Record<string, string>>
  /** The value of `icons.library` in docs.json. */
  readonly iconLibrary: string | undefined
  /** Returns the language of a page's interface text; English by default. */
  readonly languageOf?: (file: string) => string | undefined
  /** The value of `api` in docs.json, for API pages written by hand. */
  readonly api?: Config['api'] | undefined
}

/** Compiles a page file. `known` is the highlighted code of the page's previous version. */
export type PageCompiler = (file: string, known?: KnownCode) => Promise<CompiledPage>

export function createPageHighlighter(): Highlighter {
  return createHighlighter({
    compilesAtOnce: compilesAtOnce(),
    translated: translatedPatterns,
  })
}

/** Creates a compiler for one build. It caches snippets and highlighted code. */
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

/** Returns a parser that removes the types from the TypeScript modules that a page imports. */
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
    throw new Error(
      `the TypeScript imports of the page are nested more than ${TYPED_DEPTH_MAX} levels deep`,
    )
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
    draw: hasDiagrams(nodes) ? await openDiagrams() : undefined,
    text: words,
  }
  const { html, notes, missingIcons } = render(nodes, context, tools.icons)
  if (manual !== undefined) notes.useParts(API_PARTS)
  const { islands, islandCode } = findIslands(nodes)
  const scripts = islands.length === 0 ? [] : readIslandCode(text, page.files, input.read)
  const browserCode = [...scripts, ...islandCode.map((one) => one.text)]
  for (const code of browserCode) notes.useClasses(code)
  const { headings } = page
  const markdown = printMarkdown(nodes)
  return {
    // Only pages with islands need the loader.
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
      islandCode,
      styles: notes.styleParts,
      utilities: notes.utilities,
      features: notes.features,
      origins: joinOrigins(originsOf(notes.loads, browserCode), manual?.origins),
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

/** Returns the code of islands, which is in the page itself or in its imports. */
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

/** Removes facts that are empty, because most pages have only a few facts. */
function filled<Facts extends object>(facts: Facts): Filled<Facts> {
  const entries = Object.entries(facts).filter(
    ([, fact]) => fact !== undefined && !(Array.isArray(fact) && fact.length === 0),
  )
  return Object.fromEntries(entries) as Filled<Facts>
}

type Filled<Facts> = { readonly [Name in keyof Facts]?: Exclude<Facts[Name], undefined> }

/**
 * Returns a page that consists of a diagnostic, so that the build continues after a failed
 * compilation.
 */
export function unreadable(file: string, reason: string): CompiledPage {
  const place = { file, line: 1, column: 1 }
  const message = `The page could not be compiled: ${reason}.`
  const hint = 'Simplify the page. If nothing in it looks unusual, please report it.'
  const diagnostics = [diagnose('content/limit', place, { message, hint })]
  return { ...EMPTY_PAGE, diagnostics, failed: true }
}
