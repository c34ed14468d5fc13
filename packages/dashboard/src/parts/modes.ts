/**
 * A radio list with one panel of fields for each choice. CSS shows only the panel of the selected
 * choice, without JavaScript. Fields have no `required` attribute: in a hidden panel, it would keep
 * the browser from submitting the form.
 */
import { type Html, type HtmlPart, html } from './html.ts'

export type Mode = {
  readonly value: string
  readonly label: string
  readonly hint: string
  /** Explains the choice, above its fields. */
  readonly text: HtmlPart
  readonly fields?: HtmlPart
}

type ModeList = {
  readonly name: string
  readonly legend: string
  readonly value: string
  readonly modes: readonly Mode[]
}

export function modeList({ name, legend, value: chosen, modes }: ModeList): Html {
  const items = modes.map(
    ({ value, label, hint, text, fields }) =>
      html`
        <div class="mode">
          <label>
            <input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}>
            <b>${label}</b>
            <span class="hint">${hint}</span>
          </label>
          <div class="panel">
            <div>
              <h3>${label}</h3>
              <p>${text}</p>
            </div>
            ${fields}
          </div>
        </div>
      `,
  )
  return html`
    <fieldset class="modes">
      <legend class="sr-only">${legend}</legend>
      ${items}
    </fieldset>
  `
}
