/**
 * Rows of settings in a card: first the name of the setting, then a control, a value or an action.
 * A form field becomes such a row with `className: 'set'`.
 */
import { type Html, type HtmlPart, html } from './html.ts'

export type SettingRow = {
  readonly title: string
  readonly hint?: HtmlPart
  /** Controls that each have a label, such as radio buttons. */
  readonly controls: HtmlPart
  readonly error?: HtmlPart
}

/** Renders a group of controls as one setting. */
export function settingRow({ title, hint, controls, error }: SettingRow): Html {
  return html`
    <fieldset class="set">
      <legend>${title}</legend>
      ${hint && html`<p class="hint">${hint}</p>`}
      <div>${controls}${error}</div>
    </fieldset>
  `
}

export type ValueRow = {
  readonly name: string
  readonly value: HtmlPart
  /** The source of the value, such as `docs.json:12`. */
  readonly source?: HtmlPart
}

/** Renders values that cannot be changed here, each with the place where it is set. */
export function valueRows(rows: readonly ValueRow[]): Html {
  const items = rows.map(
    ({ name, value, source }) =>
      html`
        <div class="set read">
          <dt>${name}</dt>
          <dd>${value}</dd>
          ${source && html`<dd class="source">${source}</dd>`}
        </div>
      `,
  )
  return html`<dl>${items}</dl>`
}

export type ActionRow = {
  readonly title: string
  readonly text: HtmlPart
  /** A link or a form with one button. */
  readonly action: HtmlPart
}

/** Renders an action with its explanation, so that no button is far from its text. */
export function actionRow({ title, text, action }: ActionRow): Html {
  return html`
    <div class="act">
      <div>
        <h3>${title}</h3>
        <p>${text}</p>
      </div>
      ${action}
    </div>
  `
}

/** Renders a card for actions that take the site away from its readers or owners. */
export function dangerZone(rows: readonly Html[], note?: HtmlPart): Html {
  return html`
    <section class="card danger-zone" id="danger">
      <div class="card-head"><h2>Danger zone</h2>${note && html`<div class="aside">${note}</div>`}</div>
      ${rows}
    </section>
  `
}
