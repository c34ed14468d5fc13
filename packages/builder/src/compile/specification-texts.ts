/**
 * Compiles the Markdown in a specification like that of a page: each text once, with its
 * diagnostics and links at their places in the specification.
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

/** Diagnostics and links of a text, relative to the text. */
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

  /** Compiles the text as Markdown and never as MDX, since its author may be untrusted. */
  compile(text: string): CompiledText {
    const known = this.#compiled.get(text)
    if (known !== undefined) return known
    const { children, diagnostics, links, formulas } = this.#parse('text.md', bodyOf(text))
    // The heading above a text depends on the page.
    const own = diagnostics.filter(({ code }) => code !== 'content/heading-order')
    const compiled = { text, children, formulas, ...this.locate(text, { diagnostics: own, links }) }
    this.#compiled.set(text, compiled)
    return compiled
  }

  /** Maps diagnostics and links to their places in the specification. */
  locate(text: string, { diagnostics, links }: TextFindings): TextFindings {
    if (diagnostics.length === 0 && links.length === 0) return { diagnostics, links }
    const { document, file } = this.#specification
    const source = new SourceText('', bodyOf(text))
    const added = source.text.length - text.length
    const toFile = this.#places.find(text)
    const offsetOf = (offset: number) => toFile?.(Math.max(0, offset - added)) ?? 0
    return {
      diagnostics: diagnostics.map((diagnostic) => {
        const position = document.position(offsetOf(source.offset(diagnostic.place)))
        return { ...diagnostic, place: { file, ...position } }
      }),
      links: links.map(({ kind, url, offset }) => {
        const rest = source.text.slice(offset, offset + ADDRESS_DISTANCE_MAX)
        return { kind, url, file, offset: offsetOf(offset + findAddress(rest, url)) }
      }),
    }
  }
}

/** The texts that one page shows, with their diagnostics and links. */
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

/** Prevents a text that starts with `---` from being read as frontmatter. */
export function bodyOf(text: string): string {
  return text.startsWith('---') ? `\n${text}` : text
}

/** Replaces the message that the file is missing, since it may exist. */
export function refuseImport(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== 'content/import') return diagnostic
  return {
    ...diagnostic,
    message: 'The import cannot be resolved: text in a specification cannot use imports.',
    hint: 'Write the text here, or create a page with `openapi` in its frontmatter, which can use imports.',
  }
}
