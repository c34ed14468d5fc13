import { html } from '../markup/html.ts'
import type { InterfaceText } from '../words/interface-text.ts'

/** Where scripts find the words of the page's language, and say what they have done. */
export function renderStatusLine({ copied, enlarge, close }: InterfaceText): string {
  return html`<div id="oct-status" role="status" data-copied="${copied}" data-enlarge="${enlarge}" data-close="${close}"></div>`.toString()
}
