/**
 * Renders formulas as MathML, which all current browsers support natively: a formula is three to
 * eight times smaller than KaTeX's own HTML, and a page needs neither its 24 KB of styles nor its
 * 260 KB of fonts. `content.css` adds what MathML Core lacks: column alignment and boxes.
 */
import { escapeHtml } from '../markup/html.ts'
import { writeVariants } from './math-variants.ts'

/** Renders a formula, or returns the reason why it cannot be rendered. */
export type RenderMath = (text: string, display: boolean) => RenderedMath
type RenderedMath =
  | { readonly kind: 'set'; readonly html: string }
  | { readonly kind: 'refused'; readonly reason: string }

export const MATH_LIMITS = {
  /** Longer formulas are shown as source. */
  textLengthMax: 4_000,
  /** The limit for a formula that defines macros, which can multiply its length many times. */
  textWithMacrosLengthMax: 500,
  expansionsMax: 300,
  /** The maximum of any length in a formula, in em. */
  sizeMax: 20,
} as const

const DEFINES_MACROS = /\\(?:[gex]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)/

/** KaTeX is large and few pages have formulas, so it is loaded for the first one. */
export async function loadMath(): Promise<RenderMath> {
  const { renderToString } = await import('katex')
  return (text, display) => {
    const lengthMax = DEFINES_MACROS.test(text)
      ? MATH_LIMITS.textWithMacrosLengthMax
      : MATH_LIMITS.textLengthMax
    if (text.length > lengthMax) {
      return { kind: 'refused', reason: `it is longer than ${lengthMax} characters` }
    }
    try {
      const html = renderToString(text, {
        displayMode: display,
        output: 'mathml',
        throwOnError: true,
        // Renders input for which LaTeX would only warn.
        strict: 'ignore',
        // Disallows links, images and classes in formulas.
        trust: false,
        maxExpand: MATH_LIMITS.expansionsMax,
        maxSize: MATH_LIMITS.sizeMax,
      })
      return { kind: 'set', html: writeVariants(trim(html)) }
    } catch (error) {
      return { kind: 'refused', reason: reasonOf(error) }
    }
  }
}

/** Removes the wrapper and the namespace, which HTML does not need. */
function trim(html: string): string {
  return html
    .replace(/^<span class="katex">/, '')
    .replace(/<\/span>$/, '')
    .replace(' xmlns="http://www.w3.org/1998/Math/MathML"', '')
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^KaTeX parse error: /, '').replaceAll(/[\u0300-\u036f]/g, '')
}

/** The source of a formula that was not rendered. */
export function mathSource(text: string): string {
  return `<code class="oct-math-source">${escapeHtml(text)}</code>`
}
