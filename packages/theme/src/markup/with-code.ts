import { replaceCode } from '@octavo/model'
import { escapeHtml } from './html.ts'

/** The text of a title or a prop as HTML, with code as code. */
export function withCode(text: string): string {
  return replaceCode(escapeHtml(text), '<code>$1</code>')
}
