/** A row of large numbers, each with its change. */
import { type Html, type HtmlPart, html } from './html.ts'

export type Statistic = readonly [name: string, value: HtmlPart, delta?: HtmlPart]

export function statisticsCard(items: readonly Statistic[]): Html {
  return html`
    <dl class="card statistics">
      ${items.map(([name, value, delta]) => html`<div><dt>${name}</dt><dd>${value} ${delta}</dd></div>`)}
    </dl>
  `
}

/** Returns the change in percent; undefined if the previous value is 0. */
export function changeOf(now: number, before: number): HtmlPart {
  if (before === 0) return undefined
  const percent = Math.round(((now - before) / before) * 100)
  return html`<span class="delta">${signed(String(percent))} %</span>`
}

export const signed = (text: string) => (text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`)
