import type { MathNode } from '@octavo/content'
import { mathSource } from '../math/load-math.ts'
import type { ContentWriter } from './content-writer.ts'

/** Writes a formula, or its source if it cannot be rendered. */
export function writeMath(writer: ContentWriter, { text, display }: MathNode): void {
  const rendered = writer.math?.(text, display)
  const inner = rendered?.kind === 'set' ? rendered.html : mathSource(text)
  // A wide formula has its own scrollbar, so that it does not widen the page.
  writer.put(display ? `<div class="oct-math" tabindex="0">${inner}</div>` : inner)
}
