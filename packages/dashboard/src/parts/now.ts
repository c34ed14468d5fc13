/** The current state of a settings screen in one sentence, above its form. */
import { type Html, type HtmlPart, html } from './html.ts'
import { type IconName, icon } from './icon.ts'

export type Now = {
  readonly tone: 'good' | 'busy' | 'bad' | 'warning' | 'held' | 'off'
  readonly sign: IconName
  /** The stored state, never the values of a rejected form. */
  readonly title: HtmlPart
  /** Details, such as how long the state has applied and how many readers it affects. */
  readonly text?: HtmlPart
  readonly actions?: HtmlPart
}

export function nowCard({ tone, sign, title, text, actions }: Now): Html {
  return html`
    <section class="card now is-${tone}" aria-label="Current state">
      <span class="sign">${icon(sign)}</span>
      <div>
        <h2>${title}</h2>
        ${text && html`<p>${text}</p>`}
      </div>
      ${actions && html`<div class="actions">${actions}</div>`}
    </section>
  `
}
