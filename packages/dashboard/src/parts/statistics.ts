/** A row of large numbers, each with its change and a line chart by day. */
import { type Html, type HtmlPart, html } from './html.ts'

export type Statistic = readonly [name: string, value: HtmlPart, delta?: HtmlPart, line?: HtmlPart]

export function statisticsCard(items: readonly Statistic[]): Html {
  return html`
    <dl class="card statistics">
      ${items.map(
        ([name, value, delta, line]) =>
          html`<div><dt>${name}</dt><dd>${value} ${delta}</dd>${line && html`<dd class="line">${line}</dd>`}</div>`,
      )}
    </dl>
  `
}
