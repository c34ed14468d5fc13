import type { MathNode } from '@octavo/content'
import { mathSource } from '../math/load-math.ts'
import type { ContentWriter } from './content-writer.ts'

/** Writes a formula, or its source if it cannot be rendered. */
export function writeMath(writer: ContentWriter, { text, display }: MathNode): void {
  const rendered = writer.math?.(text, display)
  const inner = rendered?.kind === 'set' ? rendered.html : mathSource(text)
  // A long formula scrolls separately instead of widening the page.
  writer.put(display ? `<div class="oct-math" tabindex="0">${inner}</div>` : inner)
}
