import type { Diagnostic } from '@octavo/model'
import { compileChildren } from './compile/compile-markdown.ts'
import { footnoteSection } from './compile/footnotes.ts'
import type { Reading, Variables } from './compile/reading.ts'
import { findForeignImport } from './foreign/foreign-components.ts'
import { CAN_FIX } from './foreign/foreign-syntax.ts'
import { createGlobals } from './interpreter/globals.ts'
import { EvaluationProblem, type Unit } from './interpreter/problem.ts'
import { Scope } from './interpreter/scope.ts'
import { newObject, Snippet, type Value, type ValueObject } from './interpreter/value.ts'
import { type MarkdownFile, offsetOf, parseMarkdownFile } from './modules/markdown-file.ts'
import { ModuleLoader, type ReadStripped, type ReadText } from './modules/module-loader.ts'
import {
  type Exports,
  type ImportHelp,
  type ModuleReading,
  readModule,
} from './modules/read-module.ts'
import { PageState, type Spot } from './page-state.ts'
import { renderTag, spotOfRequest } from './render/render-tag.ts'
import { checkHeadingOrder } from './tree/check-heading-order.ts'
import { checkTree } from './tree/check-tree.ts'
import { CONTENT_LIMITS } from './tree/content-limits.ts'
import type { PageFormula, PageHeading, PageLink, PageNode } from './tree/page-tree.ts'

/** A parsed page: everything that is needed to render and check it. */
export type Page = {
  readonly children: readonly PageNode[]
  readonly headings: readonly PageHeading[]
  readonly links: readonly PageLink[]
  readonly formulas: readonly PageFormula[]
  /**
   * Other files that the page depends on, for caching. Includes imported files that do not exist.
   */
  readonly files: readonly string[]
  /**
   * Imported TypeScript files whose types are not stripped yet. The page is complete once
   * `readStripped` returns them and the page is parsed again.
   */
  readonly typed: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

export type PageParser = (file: string, text: string) => Page

/**
 * Creates the parser for one site's pages. The parser caches snippets, so create a new one when the
 * files that `read` returns change.
 */
export function createPageParser(site: {
  readonly read: ReadText
  readonly readStripped?: ReadStripped | undefined
  readonly variables?: Variables
}): PageParser {
  const loader = new ModuleLoader(site.read, site.readStripped)
  const globals = createGlobals()
  const isEmpty = Object.keys(site.variables ?? {}).length === 0
  const variables = isEmpty ? undefined : site.variables
  return (file, text) => new PageReader({ loader, globals, variables }).read(file, text)
}

type Site = {
  readonly loader: ModuleLoader
  readonly globals: Scope
  readonly variables: Variables | undefined
}

class PageReader {
  readonly #site: Site
  readonly #page: PageState
  /** Exports by file path. A file that is still being read has the exports found so far. */
  readonly #exports = new Map<string, Exports>()
  /** Snippets that are being rendered, to detect cycles. */
  readonly #rendering: string[] = []
  readonly #typed = new Set<string>()
  /** The scope with the page's own imports and exports. */
  #pageScope: Scope | undefined

  constructor(site: Site) {
    this.#site = site
    this.#page = new PageState((page, request) =>
      request.name === 'Snippet'
        ? this.#renderFile(request.props, spotOfRequest(request))
        : renderTag(page, request),
    )
  }

  read(path: string, text: string): Page {
    const file = parseMarkdownFile(path, text)
    const page = this.#page
    const rendered = page.run.attempt(() => this.#renderMarkdown(file, undefined))
    const isWhole = !(rendered instanceof EvaluationProblem)
    const reason = isWhole ? checkTree(rendered) : rendered.message
    const children = isWhole && reason === undefined ? rendered : []
    if (reason !== undefined) {
      page.report(
        'content/limit',
        { source: file.source, offset: file.bodyStart },
        {
          message: `${reason}, so the page is not shown.`,
          hint: 'Split the page, or use fewer nested snippets.',
        },
      )
    }
    checkHeadingOrder(page, children, path)
    return {
      children,
      headings: page.headings,
      links: page.links,
      formulas: page.formulas,
      files: [...page.files],
      typed: [...this.#typed],
      diagnostics: page.diagnostics(),
    }
  }

  #renderMarkdown(file: MarkdownFile, props: ValueObject | undefined): readonly PageNode[] {
    this.#reportFile(file)
    // Snippets can use the imports of the page, as if they were part of it.
    const scope = new Scope(this.#pageScope ?? this.#site.globals)
    this.#pageScope ??= scope
    this.#readStatements(file, scope, new Map())
    const given = new Scope(scope)
    if (props !== undefined) {
      given.define('props', props)
      for (const [name, value] of Object.entries(props)) given.define(name, value)
    }
    const reading: Reading = {
      page: this.#page,
      file,
      scope: given,
      variables: this.#site.variables,
      props,
      depth: this.#rendering.length * 4,
      isInLink: false,
      notes: new Map(),
      cache: { definitions: undefined },
    }
    const nodes = compileChildren(reading, file.parsed.root.children)
    const notes = footnoteSection(reading)
    return notes.length === 0 ? nodes : [...nodes, ...notes]
  }

  #reportFile(file: MarkdownFile): void {
    const { source, bodyStart, refused } = file
    if (refused !== undefined) {
      this.#page.report(
        'content/limit',
        { source, offset: refused.offset },
        {
          message: `The file exceeds a limit and is ignored. ${refused.message}`,
          hint: 'Split the file, or simplify this part.',
        },
      )
    }
    for (const { offset, marks, message, hint, fix } of file.foreign) {
      const text = fix === undefined ? { message, hint } : { message, hint, fix }
      this.#page.report('content/foreign-syntax', { source, offset: bodyStart + offset }, text)
      for (const { start, end } of marks)
        this.#page.explain({ source, offset: bodyStart + start }, end - start)
    }
    for (const { offset, code, ...text } of file.parsed.problems) {
      this.#page.report(code, { source, offset: bodyStart + offset }, text)
    }
  }

  /** Reads the imports and exports of a Markdown file. */
  #readStatements(file: MarkdownFile, scope: Scope, exports: Map<string, Value>): void {
    for (const { syntax, start } of file.statements) {
      const unit: Unit = {
        source: file.source,
        base: start,
        toOffset: (offset) => offsetOf(file, offset),
      }
      readModule(this.#moduleReading(scope, unit), syntax, exports)
    }
  }

  #moduleReading(scope: Scope, unit: Unit): ModuleReading {
    return {
      page: this.#page,
      scope,
      unit,
      load: (written, spot, help) => this.#import(unit.source.file, { written, spot, help }),
    }
  }

  #import(
    from: string,
    { written, spot, help }: { written: string; spot: Spot; help?: ImportHelp | undefined },
  ): Exports | undefined {
    const loaded = this.#site.loader.load(from, written)
    for (const path of loaded.tried) this.#page.files.add(path)
    if (loaded.kind === 'refused') {
      this.#reportImport({ written, spot, help, reason: loaded.reason })
      return undefined
    }
    const { path, file } = loaded
    const known = this.#exports.get(path)
    if (known !== undefined) return known
    // The exports are stored before the file is read, so that circular imports find them.
    const exports = new Map<string, Value>()
    this.#exports.set(path, exports)
    if (file.kind === 'markdown') {
      const scope = new Scope(this.#pageScope ?? this.#site.globals)
      exports.set('default', this.#snippet(path, file.file, spot))
      this.#readStatements(file.file, scope, exports)
    } else if (file.parsed.kind === 'typed') {
      this.#typed.add(path)
      this.#exports.delete(path)
      return undefined
    } else if (file.parsed.kind === 'parsed') {
      const unit: Unit = { source: file.source, base: 0, toOffset: file.toOffset }
      readModule(this.#moduleReading(this.#moduleScope(), unit), file.parsed.syntax, exports)
    } else {
      this.#page.report(
        'content/import',
        { source: file.source, offset: file.toOffset(file.parsed.offset) },
        {
          message: `The module cannot be parsed: ${file.parsed.message}.`,
          hint: 'Fix the syntax. Modules are JavaScript or TypeScript, with JSX.',
        },
      )
      this.#exports.delete(path)
      return undefined
    }
    return exports
  }

  #reportImport(refused: {
    readonly written: string
    readonly spot: Spot
    readonly help: ImportHelp | undefined
    readonly reason: string
  }): void {
    const { written, spot, help, reason } = refused
    const foreign = findForeignImport(written)
    if (foreign === undefined) {
      this.#page.report('content/import', spot, {
        message: `The import cannot be resolved: ${reason}.`,
        hint:
          help?.hint ?? 'Import an `.mdx`, `.md`, `.jsx` or `.tsx` file of the site by its path.',
      })
      return
    }
    const message = `\`${written}\` is an import from ${foreign.tool} that Octavo does not have.`
    const hint = help?.hint ?? foreign.hint
    const fix = help?.fix
    this.#page.report(
      'content/foreign-syntax',
      spot,
      fix === undefined ? { message, hint } : { message, hint: `${hint} ${CAN_FIX}`, fix },
    )
  }

  /** Creates the scope of a module. Modules can use the imports of the page, as in other tools. */
  #moduleScope(): Scope {
    return new Scope(this.#pageScope ?? this.#site.globals, (name) => {
      const { frame } = this.#page.run
      if (frame !== undefined) frame.borrowed ??= name
    })
  }

  #snippet(path: string, file: MarkdownFile, spot: Spot): Snippet {
    return new Snippet((props) => {
      if (
        this.#rendering.includes(path) ||
        this.#rendering.length >= CONTENT_LIMITS.snippetDepthMax
      ) {
        this.#page.report('content/import', spot, {
          message: `\`${path}\` includes itself: ${[...this.#rendering, path].join(' → ')}.`,
          hint: 'Remove one of these imports.',
        })
        return []
      }
      this.#rendering.push(path)
      const nodes = this.#page.run.attempt(() => this.#renderMarkdown(file, props))
      this.#rendering.pop()
      if (nodes instanceof EvaluationProblem) throw nodes
      return nodes
    })
  }

  /** Renders `<Snippet file="a.mdx" />`, the older syntax for a snippet. */
  #renderFile(props: ValueObject, spot: Spot): readonly PageNode[] {
    const { file, ...rest } = props
    const written = typeof file === 'string' ? file : ''
    for (const folder of ['snippets', '_snippets']) {
      const path = `${folder}/${written.replace(/^\/?(?:_?snippets\/)?/, '')}`
      this.#page.files.add(path)
      if (this.#site.loader.loadPath(path)?.kind !== 'markdown') continue
      const snippet = this.#import('', { written: `/${path}`, spot })?.get('default')
      return snippet instanceof Snippet ? snippet.render(newObject(Object.entries(rest))) : []
    }
    this.#page.report('content/import', spot, {
      message: `The snippet \`${written}\` does not exist in \`snippets\` or \`_snippets\`.`,
      hint: 'Check the path, or import the file.',
    })
    return []
  }
}
