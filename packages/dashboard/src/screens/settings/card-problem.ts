import { type HtmlPart, html } from '../../parts/html.ts'
import { problemNotice } from '../../parts/notice.ts'
import { generalError } from '../../visit/call-api.ts'
import type { Attempt } from '../../visit/screen.ts'

/** Renders a problem that is not about one of the card's fields. */
export function cardProblem(attempt: Attempt | undefined, fields: readonly string[]): HtmlPart {
  const message = generalError(attempt?.problem, fields)
  return message !== undefined && html`<div class="card-body">${problemNotice(message)}</div>`
}
