/**
 * Compiles the Markdown in a specification as it compiles the Markdown of a page. Each string is
 * compiled once, and its diagnostics and links get their places in the specification.
 */
import {
  ADDRESS_DISTANCE_MAX,
  createPageParser,
  type PageFormula,
  type PageLink,
  type PageNode,
} from '@octavo/content'
import { type Diagnostic, SourceText } from '@octavo/model'
import { type Specification, TextPlaces } from '@octavo/openapi'
import type { RenderMath } from '@octavo/theme'
import { checkFormulas } from './compile-page.ts'
import { findAddress } from './page-links.ts'

export type CompiledText = {
  readonly text: string
  readonly children: readonly PageNode[]
  readonly diagnostics: readonly Diagnostic[]
  readonly links: readonly PageLink[]
  readonly formulas: readonly PageFormula[]
}

/** Diagnostics and links of a Markdown string, with positions relative to the string. */
export type TextFindings = Pick<CompiledText, 'diagnostics' | 'links'>

export class SpecificationTexts {
  readonly #specification: Specification
  readonly #places: TextPlaces
  readonly #parse: ReturnType<typeof createPageParser>
  readonly #compiled = new Map<string, CompiledText>()

  constructor(specification: Specification, variables: Readonly<Record<string, string>>) {
    this.#specification = specification
    this.#places = new TextPlaces(specification)
    this.#parse = createPageParser({ read: () => undefined, variables })
  }

  /** Compiles a string as Markdown and never as MDX, since its author may be untrusted. */
  compile(text: string): CompiledText {
    const known = this.#compiled.get(text)
    if (known !== undefined) return known
    const { children, diagnostics, links, formulas } = this.#parse('text.md', bodyOf(text))
    // The diagnostic is skipped, because the heading above the text depends on the page that shows
    // it.
    const own = diagnostics.filter(({ code }) => code !== 'content/heading-order')
    const compiled = { text, children, formulas, ...this.locate(text, { diagnostics: own, links }) }
    this.#compiled.set(text, compiled)
    return compiled
  }

  /** Moves diagnostics and links from positions in the text to positions in the specification. */
  locate(text: string, { diagnostics, links }: TextFindings): TextFindings {
    if (diagnostics.length === 0 && links.length === 0) return { diagnostics, links }
    const { document } = this.#specification
    const source = new SourceText('', bodyOf(text))
    const added = source.text.length - text.length
    const toFile = this.#places.find(text)
    const offsetOf = (offset: number) => toFile?.(Math.max(0, offset - added)) ?? 0
    return {
      diagnostics: diagnostics.map((diagnostic) => {
        const place = document.placeAt(offsetOf(source.offset(diagnostic.place)))
        // Fixes are omitted, because the specification may contain their text in another notation.
        return { ...diagnostic, place, fix: undefined }
      }),
      links: links.map(({ kind, url, offset }) => {
        const rest = source.text.slice(offset, offset + ADDRESS_DISTANCE_MAX)
        const at = document.locate(offsetOf(offset + findAddress(rest, url)))
        return { kind, url, file: at.source.file, offset: at.offset }
      }),
    }
  }
}

/** The strings that one page shows, and their diagnostics and links. */
export class ShownTexts {
  readonly #texts: SpecificationTexts
  readonly #shown = new Set<CompiledText>()

  constructor(texts: SpecificationTexts) {
    this.#texts = texts
  }

  readonly markdown = (text: string): readonly PageNode[] => {
    const compiled = this.#texts.compile(text)
    this.#shown.add(compiled)
    return compiled.children
  }

  get hasFormulas(): boolean {
    return this.#shown.values().some(({ formulas }) => formulas.length > 0)
  }

  get links(): readonly PageLink[] {
    return [...this.#shown].flatMap(({ links }) => links)
  }

  diagnostics(math: RenderMath | undefined): readonly Diagnostic[] {
    return [...this.#shown].flatMap(({ text, diagnostics, formulas }) => {
      const refused = checkFormulas(formulas, () => bodyOf(text), math)
      const located = this.#texts.locate(text, { diagnostics: refused, links: [] })
      return [...diagnostics, ...located.diagnostics]
    })
  }
}

/** Adds an empty line to text that starts with `---`, so that it is not read as frontmatter. */
export function bodyOf(text: string): string {
  return text.startsWith('---') ? `\n${text}` : text
}

/** Replaces the message that an imported file is missing, since the file may exist. */
export function refuseImport(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== 'content/import') return diagnostic
  return {
    ...diagnostic,
    message: 'The import cannot be resolved: text in a specification cannot use imports.',
    hint: 'Write the text here, or create a page with `openapi` in its frontmatter, which can use imports.',
  }
}
