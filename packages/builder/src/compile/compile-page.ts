/** One page file → what its outputs are made of. The part of a build that workers do. */
import {
  type ComponentNode,
  createPageParser,
  type Data,
  type PageFormula,
  type PageHeading,
  type PageLink,
  type PageNode,
  pageSections,
  printMarkdown,
  type TextSection,
} from '@octavo/content'
import { type Config, type Diagnostic, diagnose, SourceText, slug } from '@octavo/model'
import {
  type ContentContext,
  codeLanguages,
  createHighlighter,
  type Highlight,
  type Highlighter,
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
import { compilesAtOnce } from './engine-flags.ts'
import { ISLAND_LOADER_URL, islandModuleUrl } from './island-address.ts'
import { type CodePlaces, codeKey, findCode, type KnownCode } from './known-code.ts'
import { manualPage } from './manual-page.ts'
import { joinOrigins, type Origins, originsOf } from './origins.ts'
import { translatedPatterns } from './own-files.ts'
import { createPageAssets, type PageAssets } from './page-assets.ts'
import { resolvePageLink } from './page-links.ts'

/** Starts the islands of a page. */
const ISLAND_LOADER_TAG = `<script type="module" src="${ISLAND_LOADER_URL}"></script>`

const SCRIPT = /\.(?:[jt]sx?|mdx)$/

export type CompiledPage = {
  readonly html: string
  /** The page for programs, without its title. */
  readonly markdown: string
  readonly headings: readonly PageHeading[]
  readonly links: readonly PageLink[]
  /** Everything in the HTML that a link can lead to. */
  readonly ids: readonly string[]
  /** What a reader sees, as words, cut at its headings; the first has none. */
  readonly sections: readonly TextSection[]
  /** Files that it is made of besides its own. */
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** Highlighted code in the HTML, for the next version of the page. */
  readonly code: CodePlaces
  /** It could not be made this time; another time it may be, so it is not kept. */
  readonly failed?: true
  /** What it needs of the browser beside islands. */
  readonly features?: readonly PageFeature[]
  /** Files whose components a browser has to run on this page. */
  readonly islands?: readonly string[]
  /** Other hosts that it loads from. */
  readonly origins?: Origins
  /** Stylesheets that it needs besides the one of all pages. */
  readonly styles?: readonly StylePart[]
  /** Utility classes in its content. */
  readonly utilities?: readonly string[]
  /** Entries of a changelog, for its feed. */
  readonly updates?: readonly PageUpdate[]
}

export type PageUpdate = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly html: string
}

export type CompilerInput = {
  readonly read: (path: string) => string | undefined
  readonly factsOf: (path: string) => AssetFacts
  /** `variables` of docs.json. */
  readonly variables: Readonly<Record<string, string>>
  /** `icons.library` of docs.json. */
  readonly iconLibrary: string | undefined
  /** The language of a page, whose words its components say; English by default. */
  readonly languageOf?: (file: string) => string | undefined
  /** `api` of docs.json, for pages of an API that are written by hand. */
  readonly api?: Config['api'] | undefined
}

/** `known` is code of the page as it was before. */
export type PageCompiler = (file: string, known?: KnownCode) => Promise<CompiledPage>

export function createPageHighlighter(): Highlighter {
  return createHighlighter({
    compilesAtOnce: compilesAtOnce(),
    translated: translatedPatterns,
  })
}

/** A compiler for one build: it keeps snippets and highlighted code. */
export function createPageCompiler(
  input: CompilerInput,
  highlighter = createPageHighlighter(),
): PageCompiler {
  const parse = createPageParser(input)
  const icons = openIconLibrary(input.iconLibrary)
  return async (file, known = []) => {
    const text = input.read(file)
    if (text === undefined) return unreadable(file, 'it cannot be read')
    try {
      const page = parse(file, text)
      const { children: written, formulas, ...rest } = page
      const assets = createPageAssets(file, input.factsOf)
      const resolveLink = (url: string) => resolvePageLink(url, file)
      const missing = new MissingIcons(icons)
      const math = formulas.length === 0 ? {} : { math: await loadMath() }
      const words = await wordsOf(input.languageOf?.(file))
      const manual = manualPage({
        file,
        text,
        nodes: written,
        settings: input.api,
        words: words.text,
      })
      const children = [...(manual?.nodes ?? []), ...written]
      const {
        html: content,
        code,
        notes,
      } = await render(children, {
        highlighter,
        known,
        assets,
        icons,
        onMissingIcon: missing.add,
        ...math,
        ...words,
        resolveLink,
      })
      const islands = [...islandFiles(children)].toSorted()
      const html = islands.length === 0 ? content : `${content}${ISLAND_LOADER_TAG}`
      const updates = await readUpdates(children, {
        highlighter,
        assets,
        ...math,
        ...words,
        resolveLink,
      })
      const markdown = printMarkdown(children)
      const diagnostics = [
        ...page.diagnostics,
        ...missing.diagnose([file, ...page.files], input.read),
        ...checkFormulas(formulas, input.read, math.math),
      ]
      const files = [...new Set([...rest.files, ...assets.looked])]
      // The code of islands stands on the page itself or in what it imports.
      const scripts = islands.length === 0 ? [] : rest.files.filter((path) => SCRIPT.test(path))
      const sources = islands.length === 0 ? [] : [text, ...scripts.map(input.read)]
      const origins = joinOrigins(originsOf(notes.loads, sources), manual?.origins)
      for (const source of sources) notes.useClasses(source ?? '')
      const headings = notes.outline(rest.headings)
      const styles = [...notes.styleParts, ...(manual ? API_PARTS : [])]
      const more = {
        ...optional({
          updates,
          islands,
          styles,
          utilities: notes.utilities,
          features: notes.features,
        }),
        ...(origins && { origins }),
      }
      const { ids, titles } = notes
      const sections = pageSections(written, { headings: rest.headings, titles })
      return { ...rest, headings, sections, ids, diagnostics, files, html, code, markdown, ...more }
    } catch (error) {
      return unreadable(file, error instanceof Error ? error.message : String(error))
    }
  }
}

async function wordsOf(language: string | undefined): Promise<Pick<ContentContext, 'text'>> {
  const text = language && (await loadLanguages([language])).get(language)
  return text ? { text } : {}
}

const API_PARTS: readonly StylePart[] = ['api']

/** A formula that cannot be set is shown as it was written, and its author is told. */
export function checkFormulas(
  formulas: readonly PageFormula[],
  read: CompilerInput['read'],
  math: RenderMath | undefined,
): readonly Diagnostic[] {
  return formulas.flatMap(({ text, display, file, offset }) => {
    const rendered = math?.(text, display)
    if (rendered?.kind !== 'refused') return []
    const { line, column } = new SourceText(file, read(file) ?? '').position(offset)
    const message = `The formula cannot be set, so its source is shown: ${rendered.reason}.`
    const hint = 'Correct it. If it is no formula, write `\\$` for the sign itself.'
    return [diagnose('content/syntax', { file, line, column }, { message, hint })]
  })
}

/** Only the lists that hold something: most pages have neither. */
function optional<Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Partial<Lists> {
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0)
  return Object.fromEntries(filled) as Partial<Lists>
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

function findUpdates(nodes: readonly PageNode[]): readonly ComponentNode[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string' || !('children' in node)) return []
    return node.kind === 'component' && node.name === 'Update' ? [node] : findUpdates(node.children)
  })
}

async function readUpdates(
  nodes: readonly PageNode[],
  { highlighter, assets, ...tools }: Omit<RenderInput, 'known'>,
): Promise<readonly PageUpdate[]> {
  const { highlight, load } = highlighter
  const { resolveAsset, imageSize } = assets
  const updates = findUpdates(nodes)
  if (updates.length > 0) await load(codeLanguages(updates))
  return updates.map(({ props: { label, description, rss }, children }) => {
    const title = textOf(label) ?? ''
    // What is said for readers of the feed goes before what is said on the page.
    const feed = typeof rss === 'object' && rss !== null && !Array.isArray(rss) ? rss : {}
    const own = feed as Readonly<Record<string, Data>>
    return {
      id: slug(title),
      title: textOf(own.title) ?? title,
      description: textOf(own.description) ?? textOf(description) ?? '',
      html: renderContent(children, { highlight, resolveAsset, imageSize, ...tools }),
    }
  })
}

function textOf(value: Data | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

type Rendered = {
  readonly html: string
  readonly code: CodePlaces
  readonly notes: PageNotes
}

type RenderInput = Pick<
  ContentContext,
  'icons' | 'onMissingIcon' | 'math' | 'resolveLink' | 'text'
> & {
  readonly highlighter: Highlighter
  readonly known: KnownCode
  readonly assets: PageAssets
}

async function render(
  nodes: readonly PageNode[],
  { highlighter, known, assets, ...tools }: RenderInput,
): Promise<Rendered> {
  const { resolveAsset, imageSize } = assets
  const context = { ...tools, islandModule: islandModuleUrl, resolveAsset, imageSize }
  const before = new Map(known)
  const code: [key: string, html: string][] = []
  let isComplete = before.size > 0
  const reuse: Highlight = (text, language) => {
    if (language === undefined) return highlighter.highlight(text, language)
    const key = codeKey(text, language)
    const lines = before.get(key)
    if (lines === undefined) isComplete = false
    code.push([key, lines ?? ''])
    return lines?.split('\n') ?? []
  }
  if (isComplete) {
    const notes = new PageNotes()
    const html = renderContent(nodes, { ...context, highlight: reuse, notes })
    if (isComplete) return { html, code: findCode(html, code), notes }
  }
  code.length = 0
  await highlighter.load(codeLanguages(nodes))
  const highlight: Highlight = (text, language) => {
    const lines = highlighter.highlight(text, language)
    if (language !== undefined) code.push([codeKey(text, language), lines.join('\n')])
    return lines
  }
  const notes = new PageNotes()
  const html = renderContent(nodes, { ...context, highlight, notes })
  return { html, code: findCode(html, code), notes }
}

/** A page that made the compiler fail is a page with a problem; the others go on. */
export function unreadable(file: string, reason: string): CompiledPage {
  const place = { file, line: 1, column: 1 }
  const message = `The page could not be made: ${reason}.`
  const hint = 'Simplify the page. If nothing in it looks unusual, please report it.'
  const diagnostics = [diagnose('content/limit', place, { message, hint })]
  return { ...EMPTY_PAGE, diagnostics, failed: true }
}
