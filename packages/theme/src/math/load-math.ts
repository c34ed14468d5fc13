/**
 * Formulas as MathML, which every browser of today draws by itself: a formula is three to eight
 * times smaller than with KaTeX's own HTML, and a page needs neither its 24 KB of styles nor its
 * 260 KB of fonts. `content.css` adds what MathML Core leaves out: alignment of columns and boxes.
 */
import { escapeHtml } from '../markup/html.ts'
import { writeVariants } from './math-variants.ts'

/** Sets a formula, or says why it cannot be set. */
export type RenderMath = (text: string, display: boolean) => RenderedMath
type RenderedMath =
  | { readonly kind: 'set'; readonly html: string }
  | { readonly kind: 'refused'; readonly reason: string }

export const MATH_LIMITS = {
  /** Longer formulas are shown as their source. */
  textLengthMax: 4_000,
  /** A formula with macros of its own can grow by as much as it is long, many times over. */
  textWithMacrosLengthMax: 500,
  expansionsMax: 300,
  /** The largest length that a formula may ask for, in em. */
  sizeMax: 20,
} as const

const DEFINES_MACROS = /\\(?:[gex]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)/

/** KaTeX is large and few pages have formulas, so it is loaded where the first one is met. */
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
        // What LaTeX would only frown at is set all the same.
        strict: 'ignore',
        // No links, no images, no classes from a formula.
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

/** The wrapper and the namespace say nothing in HTML. */
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

/** The source of a formula, for one that is not set. */
export function mathSource(text: string): string {
  return `<code class="oct-math-source">${escapeHtml(text)}</code>`
}
