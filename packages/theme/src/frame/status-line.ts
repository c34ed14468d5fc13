import { html } from '../markup/html.ts'
import type { InterfaceText } from '../words/interface-text.ts'

/** The element with interface texts for scripts, in which they also announce messages. */
export function renderStatusLine({ copied, enlarge, close }: InterfaceText): string {
  return html`<div id="oct-status" role="status" data-copied="${copied}" data-enlarge="${enlarge}" data-close="${close}"></div>`.toString()
}
