import type { MathNode } from '@octavo/content'
import { mathSource } from '../math/load-math.ts'
import type { ContentWriter } from './content-writer.ts'

/** A formula; one that cannot be set is shown as its source. */
export function writeMath(writer: ContentWriter, { text, display }: MathNode): void {
  const rendered = writer.math?.(text, display)
  const inner = rendered?.kind === 'set' ? rendered.html : mathSource(text)
  // A long formula scrolls by itself instead of widening the page.
  writer.put(display ? `<div class="oct-math" tabindex="0">${inner}</div>` : inner)
}
