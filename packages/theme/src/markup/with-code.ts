import { replaceCode } from '@octavo/model'
import { escapeHtml } from './html.ts'

/** Renders the text of a title or prop as HTML, with inline code. */
export function withCode(text: string): string {
  return replaceCode(escapeHtml(text), '<code>$1</code>')
}
