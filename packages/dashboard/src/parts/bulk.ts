/**
 * A table whose rows can be selected, with a bar above it. The bar counts the rows, or shows
 * actions once rows are selected; CSS switches between the two, without JavaScript.
 */
import { postForm } from './form.ts'
import { type Html, type HtmlPart, html } from './html.ts'
import type { Cell } from './table.ts'

type Selection = {
  readonly action: string
  readonly token: string
  readonly fields?: Readonly<Record<string, string | undefined>>
  /** The content that is shown while no row is selected. */
  readonly resting: HtmlPart
  /** Buttons that submit the form. */
  readonly actions: HtmlPart
  readonly body: HtmlPart
}

export function selectionForm({ action, token, fields, resting, actions, body }: Selection): Html {
  return postForm({
    action,
    token,
    className: 'picking',
    ...(fields && { fields }),
    body: html`
      <div class="bulk">
        <span class="chosen">
          <b data-selected>Selected:</b>
          ${actions}
          <button class="button small quiet end" type="reset">Clear</button>
        </span>
        <span class="resting">${resting}</span>
      </div>
      ${body}
    `,
  })
}

/** Renders the checkbox that selects a row. */
export function pickCell(name: string, value: string, label: string): Cell {
  return {
    className: 'pick',
    content: html`<input type="checkbox" name="${name}" value="${value}" aria-label="Select ${label}">`,
  }
}
