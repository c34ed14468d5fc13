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
  /** A formula with more characters is shown as source. */
  textLengthMax: 4_000,
  /** The limit for a formula that defines macros, since macros can multiply its length. */
  textWithMacrosLengthMax: 500,
  expansionsMax: 300,
  /** The maximum for lengths in a formula, in em. */
  sizeMax: 20,
} as const

const DEFINES_MACROS = /\\(?:[gex]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)/

/** Loads KaTeX, which is large, so it is only loaded if a page has a formula. */
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
        // Accept input that LaTeX would only warn about.
        strict: 'ignore',
        // Do not allow links, images and classes in formulas.
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

/** Removes the wrapper element and the namespace, which HTML does not need. */
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

/** Renders the source of a formula that could not be rendered. */
export function mathSource(text: string): string {
  return `<code class="oct-math-source">${escapeHtml(text)}</code>`
}
