/** A value that is shown only once, with a button that copies it. */
import { type Html, html } from './html.ts'
import { icon } from './icon.ts'

type Secret = {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly copy: string
}

export function secretField({ id, label, value, copy }: Secret): Html {
  return html`
    <div class="field">
      <label for="${id}">${label}</label>
      <div class="secret">
        <input id="${id}" value="${value}" readonly autocomplete="off" spellcheck="false">
        <button class="button primary" type="button" hidden data-copy="${id}">
          ${icon('copy')}
          <span>${copy}</span>
        </button>
      </div>
    </div>
  `
}
