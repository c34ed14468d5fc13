/** The HTTP method next to the name of an operation, abbreviated in lists. */
import { type Html, html } from '../markup/html.ts'

const METHOD_LABELS: Readonly<Record<string, string>> = {
  DELETE: 'DEL',
  OPTIONS: 'OPT',
  WEBHOOK: 'HOOK',
}

export function methodBadge(method: string): Html {
  const label = Object.hasOwn(METHOD_LABELS, method) ? METHOD_LABELS[method] : method
  return html`<span class="oct-method oct-method-${method.toLowerCase()}">${label}</span>`
}
