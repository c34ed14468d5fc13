/** A few large numbers in a row, each with what it was before. */
import { type Html, type HtmlPart, html } from './html.ts'

export type Statistic = readonly [name: string, value: HtmlPart, delta?: HtmlPart]

export function statisticsCard(items: readonly Statistic[]): Html {
  return html`
    <dl class="card statistics">
      ${items.map(([name, value, delta]) => html`<div><dt>${name}</dt><dd>${value} ${delta}</dd></div>`)}
    </dl>
  `
}

/** Nothing where there was nothing before. */
export function changeOf(now: number, before: number): HtmlPart {
  if (before === 0) return undefined
  const percent = Math.round(((now - before) / before) * 100)
  return html`<span class="delta">${signed(String(percent))} %</span>`
}

export const signed = (text: string) => (text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`)
