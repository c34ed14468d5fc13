import { html } from '../markup/html.ts'
import type { InterfaceText } from '../words/interface-text.ts'

/**
 * Renders the element in which scripts announce messages, and which contains the text that they
 * show.
 */
export function renderStatusLine({ copied, enlarge, close }: InterfaceText): string {
  return html`<div id="oct-status" role="status" data-copied="${copied}" data-enlarge="${enlarge}" data-close="${close}"></div>`.toString()
}
