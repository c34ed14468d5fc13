/** Cards that answer one question together, below a heading with a sentence. */
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
