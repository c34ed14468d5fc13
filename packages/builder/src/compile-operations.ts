/** What pages show of specifications, compiled like the text of a page. */
import { createPageParser, type PageNode, plainText, printMarkdown } from '@octavo/content'
import type { PageBacking } from '@octavo/model'
import {
  frameData,
  listedMethod,
  listOperations,
  type Operation,
  OperationPages,
  type PageContext,
  type SharedPart,
  SharedParts,
  type Specification,
  schemaPointer,
} from '@octavo/openapi'
import {
  createHighlighter,
  operationNodes,
  PageNotes,
  renderContent,
  schemaNodes,
} from '@octavo/theme'
import { type CompiledPage, readOrigins } from './compile-page.ts'
import { compilesAtOnce } from './engine-flags.ts'
import { hashBytes } from './hash-bytes.ts'
import type { LoadedSite } from './load-site.ts'

/** Languages that generated pages use. */
const API_LANGUAGES = ['json', 'bash']

export class OperationCompiler {
  readonly #site: LoadedSite
  readonly #highlighter = createHighlighter({ compilesAtOnce: compilesAtOnce() })
  readonly #version: string
  readonly #specifications = new Map<string, OpenedSpecification>()

  constructor(input: { site: LoadedSite; version: string }) {
    this.#site = input.site
    this.#version = input.version
  }

  /** Changes when the specification does: what a page shows may stand anywhere in it. */
  keyOf(backing: PageBacking): string {
    const name =
      backing.kind === 'schema' ? backing.name : `${backing.listing.method} ${backing.listing.path}`
    const opened = this.#open(backing.source)
    return hashBytes(this.#version, backing.kind, backing.source, name, opened?.hash ?? '')
  }

  async compile(backing: PageBacking): Promise<CompiledPage> {
    // Grammars take a while to load, and most builds find these pages in the cache.
    await this.#highlighter.load(API_LANGUAGES)
    const opened = this.#open(backing.source)
    const nodes = opened === undefined ? [] : this.#nodes(backing, opened)
    const notes = new PageNotes()
    const html = renderContent(nodes, { highlight: this.#highlighter.highlight, notes })
    const origins = readOrigins(html)
    return {
      ...{ html, styles: notes.styleParts },
      markdown: printMarkdown(nodes),
      headings: nodes.flatMap((node) =>
        typeof node !== 'string' && node.kind === 'heading'
          ? [{ level: node.level, id: node.id, text: plainText(node.children) }]
          : [],
      ),
      ...{ links: [], files: [], diagnostics: [], code: [], text: plainText(nodes) },
      ...(origins && { origins }),
    }
  }

  #nodes(backing: PageBacking, opened: OpenedSpecification): readonly PageNode[] {
    const context = { ...opened.context, markdown: opened.markdown }
    if (backing.kind === 'schema') {
      const part = opened.context.part(schemaPointer(backing.name))
      return part?.kind === 'schema' ? schemaNodes(part.schema, context) : []
    }
    const operation = opened.find(backing.listing.method, backing.listing.path)
    return operation === undefined ? [] : operationNodes(opened.pages.page(operation), context)
  }

  #open(source: string): OpenedSpecification | undefined {
    const known = this.#specifications.get(source)
    if (known !== undefined) return known
    const specification = this.#site.specification(source)
    if (specification === undefined) return undefined
    const pillFields = this.#site.config.api?.params?.post ?? []
    const opened = new OpenedSpecification(specification, pillFields)
    this.#specifications.set(source, opened)
    return opened
  }
}

class OpenedSpecification {
  readonly pages: OperationPages
  readonly context: PageContext
  readonly hash: string
  readonly #operations = new Map<string, Operation>()
  readonly #parse = createPageParser({ read: () => undefined })

  constructor(specification: Specification, pillFields: readonly string[]) {
    const options = { pillFields }
    this.pages = new OperationPages(specification, options)
    const parts = new SharedParts(specification, options)
    const known = new Map<string, SharedPart | undefined>()
    const part = (ref: string) => {
      if (!known.has(ref)) known.set(ref, parts.part(ref))
      return known.get(ref)
    }
    this.context = { frame: frameData(specification), part }
    this.hash = hashBytes(specification.text, JSON.stringify(pillFields))
    for (const operation of listOperations(specification)) {
      this.#operations.set(`${listedMethod(operation)} ${operation.path}`, operation)
    }
  }

  /** Strangers wrote it: Markdown, never MDX. */
  readonly markdown = (text: string): readonly PageNode[] =>
    this.#parse('description.md', text).children

  find(method: string, path: string): Operation | undefined {
    return this.#operations.get(`${method} ${path}`)
  }
}
