/** Compiles the parts of pages that are generated from specifications. */
import { posix } from 'node:path'
import { type PageNode, pageSections, printMarkdown } from '@octavo/content'
import { type AccessLabel, type Config, labelId, normalizeSource, SourceText } from '@octavo/model'
import {
  findLanguage,
  linkedSchemas,
  type OperationPage,
  type PageContext,
  type Specification,
  schemaPointer,
  serversOf,
} from '@octavo/openapi'
import {
  type ApiContext,
  type ApiSettings,
  codeLanguages,
  fragmentNodes,
  type InterfaceText,
  interfaceText,
  loadLanguages,
  loadMath,
  operationNodes,
  PageNotes,
  type PlaygroundMode,
  playgroundMode,
  renderContent,
  schemaNodes,
  searchedNodes,
} from '@octavo/theme'
import type { LoadedSite } from '../load/load-site.ts'
import type { FragmentSource } from '../output/api-fragments.ts'
import { hashBytes, hashFile } from '../source/hash-bytes.ts'
import {
  type AssetFacts,
  isAsset,
  mentionsAsset,
  printAssetFacts,
} from '../source/images/asset-facts.ts'
import { apiSettings, playgroundSettings } from './api-settings.ts'
import { appendPage, EMPTY_PAGE, withOrigins } from './append-page.ts'
import { checkLength } from './check-length.ts'
import {
  type CompiledPage,
  createPageCompiler,
  createPageHighlighter,
  unreadable,
} from './compile-page.ts'
import { OpenedSpecification } from './opened-specification.ts'
import { originsOf } from './origins.ts'
import { createPageAssets } from './page-assets.ts'
import { headingsOf } from './page-headings.ts'
import { resolvePageLink } from './page-links.ts'
import { playgroundOrigins } from './playground-origins.ts'
import { nameOf, operationFile, type ShownPage, sourceLink } from './shown-page.ts'
import { bodyOf, refuseImport, ShownTexts, SpecificationTexts } from './specification-texts.ts'
import { withoutIslands } from './without-islands.ts'

export type OperationCompilerInput = {
  readonly site: Pick<LoadedSite, 'specification'> & {
    readonly config: {
      readonly [Key in 'api' | 'icons' | 'variables']?: Config[Key] | undefined
    }
  }
  /** All pages whose content is generated from a specification. */
  readonly pages: readonly ShownPage[]
  readonly version: string
  readonly assets: SiteAssets
}

/** The site's files, which specifications may show as images. */
type SiteAssets = {
  readonly files: readonly string[]
  readonly factsOf: (path: string) => AssetFacts
}

export class OperationCompiler {
  readonly #input: OperationCompilerInput
  readonly #highlighter = createPageHighlighter()
  readonly #variables: Readonly<Record<string, string>>
  readonly #settings: ApiSettings
  readonly #specifications = new Map<string, OpenedSpecification>()
  readonly #texts = new Map<Specification, SpecificationTexts>()
  #pagesOf: ReadonlyMap<string, readonly ShownPage[]> | undefined
  #assetsHash: string | undefined

  constructor(input: OperationCompilerInput) {
    this.#input = input
    this.#variables = input.site.config.variables ?? {}
    this.#settings = apiSettings(input.site.config.api)
  }

  /**
   * Returns the cache key of a page. It changes with the whole specification, since a page may show
   * any part of it.
   */
  keyOf(page: ShownPage): string {
    const opened = this.#open(page)
    return hashBytes(
      this.#input.version,
      page.backing.source,
      nameOf(page),
      this.#modeOf(page),
      opened?.hash ?? '',
      // Relative links and images are resolved from this folder.
      posix.dirname(page.path),
      ...this.#ownedPages(page).map(nameOf),
      ...(page.access === 'default' ? [] : [labelId(page.access, hashFile)]),
    )
  }

  async compile(page: ShownPage): Promise<CompiledPage> {
    try {
      return await this.#compile(page)
    } catch (error) {
      return unreadable(page.backing.source, error instanceof Error ? error.message : String(error))
    }
  }

  async #compile(page: ShownPage): Promise<CompiledPage> {
    const { backing, language, access } = page
    const opened = this.#open(page)
    if (opened === undefined) return EMPTY_PAGE
    const words = await wordsOf(language)
    const texts = new ShownTexts(opened.texts)
    const mode = this.#modeOf(page)
    const context = this.#context(opened, { mode, words, texts, access, name: nameOf(page) })
    if (backing.kind === 'schema') {
      const part = opened.context.part(schemaPointer(backing.name))
      const nodes = part?.kind === 'schema' ? schemaNodes(part.schema, context) : []
      this.#readLinked(page, opened, context)
      return this.#render(nodes, { page, words, texts })
    }
    const operation = this.#operationOf(page, opened)
    if (operation === undefined) return EMPTY_PAGE
    const data = opened.pages.page(operation)
    const nodes = operationNodes(data, context)
    this.#readLinked(page, opened, context)
    const shown = await this.#render(nodes, { page, words, texts })
    const hasPlayground = shown.features?.includes('playground')
    const settings = playgroundSettings(this.#input.site.config.api, words)
    const whole = hasPlayground
      ? withOrigins(shown, playgroundOrigins(data, context, settings))
      : shown
    if (data.content === undefined) return whole
    return appendPage(await this.#content(data.content, page, opened), whole)
  }

  /**
   * Returns the fragments that pages load later, for each combination of specification, language
   * and access label.
   */
  async fragments(
    pages: Iterable<ShownPage>,
    isForSome: IsForSome,
  ): Promise<readonly FragmentSource[]> {
    const sources = Map.groupBy(pages, ({ backing, language, access }) =>
      JSON.stringify([normalizeSource(backing.source), language, access]),
    )
    const fragments = [...sources.values()].map((shown) => this.#fragment(shown, isForSome))
    return (await Promise.all(fragments)).filter((source) => source !== undefined)
  }

  /** Returns the fragments for pages of one specification, language and access label. */
  async #fragment(
    pages: readonly ShownPage[],
    isForSome: IsForSome,
  ): Promise<FragmentSource | undefined> {
    const [first] = pages
    const opened = first && this.#open(first)
    if (first === undefined || opened === undefined) return undefined
    const { language, access, backing } = first
    const text = await wordsOf(language)
    const texts = new ShownTexts(opened.texts)
    const context = this.#context(opened, { mode: 'none', words: text, texts, access, name: '' })
    const playgrounds = pages.flatMap((page) => {
      const operation = this.#operationOf(page, opened)
      const data = operation && opened.pages.page(operation)
      if (data === undefined || !this.#hasPlayground(data, page, context)) return []
      return [[operationFile(context.fragments.folder, nameOf(page)), data] as const]
    })
    const { highlight } = this.#highlighter
    // The path is not relative to a page, because pages of several folders show the fragments.
    const { resolveAsset, imageSize } = createPageAssets('', this.#input.assets.factsOf)
    return {
      opened,
      folder: context.fragments.folder,
      access,
      shown: isForSome(backing.source) ? pages.map((page) => page.backing) : undefined,
      playgrounds: new Map(playgrounds),
      key: hashBytes(this.#input.version, opened.hash),
      settings: playgroundSettings(this.#input.site.config.api, text),
      prepare: () => this.#loadGrammars(),
      html: (schema) =>
        renderContent(fragmentNodes(schema, context), { highlight, text, resolveAsset, imageSize }),
    }
  }

  #operationOf({ backing }: ShownPage, opened: OpenedSpecification) {
    if (backing.kind === 'schema') return undefined
    return opened.find(backing.listing.method, backing.listing.path)
  }

  /** Checks whether the page has a button that opens the playground, maybe only for some readers. */
  #hasPlayground(data: OperationPage, page: ShownPage, context: PageContext): boolean {
    const mode = playgroundMode(data, serversOf(data, context), this.#modeOf(page))
    return mode === 'interactive' || mode === 'auth'
  }

  async #loadGrammars(): Promise<void> {
    const languages = this.#settings.languages.map((id) => findLanguage(id)?.highlight ?? id)
    await this.#highlighter.load(['json', ...languages])
  }

  #context(
    { context, fragments: { folder, count } }: OpenedSpecification,
    { mode, words, texts, access, name }: ContextInput,
  ): ApiContext {
    const { markdown } = texts
    const label = access === 'default' ? '' : `-${labelId(access, hashFile)}`
    const own = `${folder}${label}`
    const fragments = { folder: own, count, operation: operationFile(own, name) }
    const settings = this.#settings
    return { ...context, markdown, fragments, playground: mode, words, settings, hash: hashFile }
  }

  /**
   * Returns the playground mode. The mode of the page takes precedence over that of the
   * specification (`playground` in `x-svc.metadata`), and both take precedence over docs.json.
   */
  #modeOf({ backing, playground }: ShownPage): PlaygroundMode {
    const own = backing.kind === 'operation' ? backing.listing.frontmatter?.fields : undefined
    const { display = 'interactive' } = this.#input.site.config.api?.playground ?? {}
    return playground ?? own?.playground ?? display
  }

  /**
   * Reads the text in lazily loaded schemas. It is not on any page, but many pages link to it, so
   * it is assigned to the first page of the specification and checked only once.
   */
  #readLinked(page: ShownPage, opened: OpenedSpecification, context: ApiContext): void {
    const pages = this.#ownedPages(page)
    if (pages.length === 0) return
    const operations = pages.flatMap(({ backing }) => {
      const { listing } = backing.kind === 'operation' ? backing : {}
      return (listing && opened.find(listing.method, listing.path)) ?? []
    })
    const schemas = pages.flatMap(({ backing }) => (backing.kind === 'schema' ? backing.name : []))
    for (const ref of linkedSchemas(opened.specification, { operations, schemas })) {
      const part = opened.context.part(ref)
      if (part?.kind === 'schema') fragmentNodes(part.schema, context)
    }
  }

  /**
   * Returns all pages of the specification if the page is the first of them, else an empty list.
   */
  #ownedPages(page: ShownPage): readonly ShownPage[] {
    const { pages } = this.#input
    this.#pagesOf ??= Map.groupBy(pages, ({ backing }) => normalizeSource(backing.source))
    const all = this.#pagesOf.get(normalizeSource(page.backing.source)) ?? []
    return all[0]?.path === page.path ? all : []
  }

  /** Compiles `x-svc.content`, the MDX above the generated fields. It cannot import anything. */
  async #content(
    text: string,
    { path, language }: ShownPage,
    { texts }: OpenedSpecification,
  ): Promise<CompiledPage> {
    const { site, assets } = this.#input
    const file = `${path}.mdx`
    const compile = createPageCompiler(
      {
        read: (wanted) => (wanted === file ? bodyOf(text) : undefined),
        factsOf: assets.factsOf,
        variables: this.#variables,
        iconLibrary: site.config.icons?.library,
        languageOf: () => language,
      },
      this.#highlighter,
    )
    const page = withoutIslands(await compile(file), new SourceText(file, bodyOf(text)))
    const diagnostics = page.diagnostics.map(refuseImport)
    return { ...page, code: [], ...texts.locate(text, { ...page, diagnostics }) }
  }

  async #render(
    nodes: readonly PageNode[],
    { page, words: text, texts }: RenderInput,
  ): Promise<CompiledPage> {
    // Samples and descriptions can contain code in any language.
    await this.#highlighter.load(codeLanguages(nodes))
    const { highlight } = this.#highlighter
    const notes = new PageNotes()
    notes.useParts(['api'])
    const math = texts.hasFormulas ? await loadMath() : undefined
    const { looked, ...assets } = createPageAssets(page.path, this.#input.assets.factsOf)
    const html = renderContent(nodes, {
      highlight,
      notes,
      text,
      ...assets,
      ...(math && { math }),
      resolveLink: (url) => resolvePageLink(url, page.path),
    })
    const origins = originsOf(notes.loads)
    const headings = headingsOf(nodes)
    const markdown = `${printMarkdown(nodes)}${sourceLink(page.backing)}`
    const { source } = page.backing
    return {
      html,
      styles: notes.styleParts,
      features: notes.features,
      markdown,
      headings,
      sections: pageSections(searchedNodes(nodes), { headings }),
      links: texts.links,
      ids: notes.ids,
      files: [...looked],
      diagnostics: [
        ...texts.diagnostics(math),
        ...checkLength(markdown, source, `the page /${page.path}`),
      ],
      code: [],
      ...(origins && { origins }),
    }
  }

  #open({ backing: { source }, language = '' }: ShownPage): OpenedSpecification | undefined {
    const name = `${language} ${source}`
    const known = this.#specifications.get(name)
    if (known !== undefined) return known
    const specification = this.#input.site.specification(source)
    if (specification === undefined) return undefined
    const { config } = this.#input.site
    const settings = JSON.stringify([
      config.api,
      config.icons,
      this.#variables,
      this.#input.version,
      language,
      this.#hashAssets(specification),
    ])
    const pillFields = config.api?.params?.post ?? []
    const texts = this.#textsOf(specification)
    const opened = new OpenedSpecification({ specification, texts, pillFields, settings })
    this.#specifications.set(name, opened)
    return opened
  }

  #textsOf(specification: Specification): SpecificationTexts {
    const known = this.#texts.get(specification)
    if (known !== undefined) return known
    const texts = new SpecificationTexts(specification, this.#variables)
    this.#texts.set(specification, texts)
    return texts
  }

  /** Returns a hash of the facts of all images if the specification names any. Most do not. */
  #hashAssets({ text }: Specification): string {
    if (!mentionsAsset(text)) return ''
    const { files, factsOf } = this.#input.assets
    this.#assetsHash ??= hashBytes(
      ...files.filter(isAsset).flatMap((file) => [file, printAssetFacts(factsOf(file))]),
    )
    return this.#assetsHash
  }
}

/** Returns true for a specification that only some readers may see completely. */
type IsForSome = (source: string) => boolean

type ContextInput = {
  /** The name of the page's operation. */
  readonly name: string
  readonly access: AccessLabel
  readonly mode: PlaygroundMode
  readonly words: InterfaceText
  readonly texts: ShownTexts
}

type RenderInput = {
  readonly page: ShownPage
  readonly words: InterfaceText
  readonly texts: ShownTexts
}

async function wordsOf(language = 'en'): Promise<InterfaceText> {
  return interfaceText(language, await loadLanguages([language]))
}
