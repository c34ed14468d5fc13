/** What pages show of specifications, compiled like the text of a page. */
import { type PageNode, plainText, printMarkdown } from '@octavo/content'
import type { Config, PageBacking } from '@octavo/model'
import { findLanguage, schemaPointer } from '@octavo/openapi'
import {
  type ApiContext,
  type ApiSettings,
  codeLanguages,
  fragmentNodes,
  type InterfaceText,
  interfaceText,
  loadLanguages,
  operationNodes,
  PageNotes,
  type PlaygroundMode,
  renderContent,
  schemaNodes,
} from '@octavo/theme'
import type { LoadedSite } from '../load/load-site.ts'
import type { FragmentSource } from '../output/api-fragments.ts'
import { languageOf } from '../plan/page-languages.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { apiSettings, playgroundSettings } from './api-settings.ts'
import { appendPage, EMPTY_PAGE, withOrigins } from './append-page.ts'
import { type CompiledPage, createPageCompiler, createPageHighlighter } from './compile-page.ts'
import { OpenedSpecification } from './opened-specification.ts'
import { originsOf } from './origins.ts'
import { playgroundOrigins } from './playground-origins.ts'

/** What of a page decides what it shows of a specification. */
export type ShownPage = {
  readonly backing: PageBacking
  readonly playground: PlaygroundMode | undefined
  readonly language: string | undefined
}

/** Nothing for a page that shows no specification. */
export function shownOf(page: PlannedPage): ShownPage | undefined {
  const { backing, frontmatter } = page
  if (backing === undefined) return undefined
  return { backing, playground: frontmatter.fields.playground, language: languageOf(page) }
}

export type OperationCompilerInput = {
  readonly site: Pick<LoadedSite, 'specification'> & {
    readonly config: { readonly [Key in 'api' | 'icons']?: Config[Key] | undefined }
  }
  readonly version: string
  readonly variables: Readonly<Record<string, string>>
}

export class OperationCompiler {
  readonly #site: OperationCompilerInput['site']
  readonly #highlighter = createPageHighlighter()
  readonly #version: string
  readonly #variables: Readonly<Record<string, string>>
  readonly #settings: ApiSettings
  readonly #specifications = new Map<string, OpenedSpecification>()

  constructor(input: OperationCompilerInput) {
    this.#site = input.site
    this.#version = input.version
    this.#variables = input.variables
    this.#settings = apiSettings(input.site.config.api)
  }

  /** Changes when the specification does: what a page shows may stand anywhere in it. */
  keyOf(page: ShownPage): string {
    const { backing, language } = page
    const name =
      backing.kind === 'schema' ? backing.name : `${backing.listing.method} ${backing.listing.path}`
    const opened = this.#open(backing.source, language)
    const mode = this.#modeOf(page)
    return hashBytes(this.#version, backing.kind, backing.source, name, mode, opened?.hash ?? '')
  }

  async compile(page: ShownPage): Promise<CompiledPage> {
    const { backing, language } = page
    const opened = this.#open(backing.source, language)
    if (opened === undefined) return EMPTY_PAGE
    const words = await wordsOf(language)
    const context = this.#context(opened, this.#modeOf(page), words)
    if (backing.kind === 'schema') {
      const part = opened.context.part(schemaPointer(backing.name))
      return this.#render(part?.kind === 'schema' ? schemaNodes(part.schema, context) : [], words)
    }
    const operation = opened.find(backing.listing.method, backing.listing.path)
    if (operation === undefined) return EMPTY_PAGE
    const data = opened.pages.page(operation)
    const shown = await this.#render(operationNodes(data, context), words)
    const hasPlayground = shown.features?.includes('playground')
    const whole = hasPlayground ? withOrigins(shown, playgroundOrigins(data, context)) : shown
    if (data.content === undefined) return whole
    return appendPage(await this.#content(data.content, page), whole)
  }

  /** What pages load later of their specifications, in each of the languages that show one. */
  async fragments(pages: Iterable<ShownPage>): Promise<readonly FragmentSource[]> {
    const shown = new Map<OpenedSpecification, string | undefined>()
    for (const { backing, language } of pages) {
      const opened = this.#open(backing.source, language)
      if (opened !== undefined) shown.set(opened, language)
    }
    return Promise.all([...shown].map((one) => this.#fragment(...one)))
  }

  async #fragment(
    opened: OpenedSpecification,
    language: string | undefined,
  ): Promise<FragmentSource> {
    const text = await wordsOf(language)
    const context = this.#context(opened, 'none', text)
    const { highlight } = this.#highlighter
    return {
      opened,
      key: hashBytes(this.#version, opened.hash),
      settings: playgroundSettings(this.#site.config.api, text),
      prepare: () => this.#loadGrammars(),
      html: (schema) => renderContent(fragmentNodes(schema, context), { highlight, text }),
    }
  }

  async #loadGrammars(): Promise<void> {
    const languages = this.#settings.languages.map((id) => findLanguage(id)?.highlight ?? id)
    await this.#highlighter.load(['json', ...languages])
  }

  #context(
    { context, markdown, fragments }: OpenedSpecification,
    playground: PlaygroundMode,
    words: InterfaceText,
  ): ApiContext {
    return { ...context, markdown, fragments, playground, words, settings: this.#settings }
  }

  /** What the page says comes before what docs.json says of all ("x-svc.metadata", `playground`). */
  #modeOf({ backing, playground }: ShownPage): PlaygroundMode {
    const own = backing.kind === 'operation' ? backing.listing.frontmatter?.fields : undefined
    const { display = 'interactive' } = this.#site.config.api?.playground ?? {}
    return playground ?? own?.playground ?? display
  }

  /** `x-svc.content`: MDX that stands above. It is a text of its own, so it imports nothing. */
  async #content(text: string, { backing, language }: ShownPage): Promise<CompiledPage> {
    const { source } = backing
    const file = `${source}.content.mdx`
    const compile = createPageCompiler({
      read: (path) => (path === file ? text : undefined),
      factsOf: () => ({ isThere: false, size: undefined }),
      variables: this.#variables,
      iconLibrary: this.#site.config.icons?.library,
      languageOf: () => language,
    })
    const page = await compile(file)
    const diagnostics = page.diagnostics.map((one) => ({
      ...one,
      place: { ...one.place, file: source, line: 1, column: 1 },
    }))
    return { ...page, files: [], code: [], links: [], diagnostics }
  }

  async #render(nodes: readonly PageNode[], text: InterfaceText): Promise<CompiledPage> {
    // Samples and descriptions may be in any language.
    await this.#highlighter.load(codeLanguages(nodes))
    const notes = new PageNotes()
    notes.useParts(['api'])
    const html = renderContent(nodes, { highlight: this.#highlighter.highlight, notes, text })
    const origins = originsOf(notes.loads)
    return {
      html,
      styles: notes.styleParts,
      features: notes.features,
      markdown: printMarkdown(nodes),
      headings: nodes.flatMap((node) =>
        typeof node !== 'string' && node.kind === 'heading'
          ? [{ level: node.level, id: node.id, text: plainText(node.children) }]
          : [],
      ),
      links: [],
      ids: notes.ids,
      files: [],
      diagnostics: [],
      code: [],
      text: plainText(nodes),
      ...(origins && { origins }),
    }
  }

  #open(source: string, language = ''): OpenedSpecification | undefined {
    const name = `${language} ${source}`
    const known = this.#specifications.get(name)
    if (known !== undefined) return known
    const specification = this.#site.specification(source)
    if (specification === undefined) return undefined
    const { config } = this.#site
    const settings = JSON.stringify([
      config.api,
      config.icons,
      this.#variables,
      this.#version,
      language,
    ])
    const pillFields = config.api?.params?.post ?? []
    const opened = new OpenedSpecification({ specification, pillFields, settings })
    this.#specifications.set(name, opened)
    return opened
  }
}

async function wordsOf(language = 'en'): Promise<InterfaceText> {
  return interfaceText(language, await loadLanguages([language]))
}
