/** Groups of related cards under a heading, and the totals at the bottom of a card. */
import type { Fact } from './card.ts'
import { type Html, type HtmlPart, html } from './html.ts'

export type Group = {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly body: HtmlPart
}

export function group({ id, title, text, body }: Group): Html {
  return html`
    <section class="group" aria-labelledby="${id}">
      <div class="group-head"><h2 id="${id}">${title}</h2><p>${text}</p></div>
      ${body}
    </section>
  `
}

/** Renders totals in columns at the bottom of a card. */
export function totalsList(totals: readonly Fact[]): Html {
  return html`
    <dl class="by">${totals.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  `
}
