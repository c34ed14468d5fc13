/** Bars for each day. The bars are SVG, the words are HTML, so that they keep their size. */
import type { Overview } from '@octavo/service/contract'
import { type Html, html } from '@octavo/theme'
import { icon } from './icon.ts'
import { countText, percentText } from './number.ts'
import { shortDay } from './time.ts'

type Day = Overview['days'][number]

const DAY_WIDTH = 10
const BAR_WIDTH = 7
const HEIGHT = 100
const LABELS = 5
/** The top of the axis: round, and three equal steps. */
const STEPS = [1, 2, 3, 4, 5, 6, 7, 8, 10]

export function dayChart(days: readonly Day[], labelledBy: string): Html {
  const top = axisTop(Math.max(0, ...days.map(({ answered, unanswered }) => answered + unanswered)))
  const width = days.length * DAY_WIDTH
  const asked = days.reduce((sum, day) => sum + day.answered + day.unanswered, 0)
  const answered = days.reduce((sum, day) => sum + day.answered, 0)
  const lines = [0, 1, 2].map(
    (step) =>
      html`<line x1="0" x2="${width}" y1="${(HEIGHT * step) / 3}" y2="${(HEIGHT * step) / 3}"/>`,
  )
  const marks = days.map(
    ({ deployments }, index) =>
      deployments > 0 &&
      html`<rect class="mark" x="${index * DAY_WIDTH + 3.9}" y="103" width="2.2" height="2.6"/>`,
  )
  return html`<figure class="chart" aria-labelledby="${labelledBy}"><div class="plot"><svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Questions for each day. ${countText(asked)} questions, ${percentText(answered, asked)} answered. The table below has every day.">${lines}${days.map((day, index) => bar(day, { index, top, isLast: index === days.length - 1 }))}${marks}<line class="base" x1="0" x2="${width}" y1="${HEIGHT}" y2="${HEIGHT}"/></svg>${[3, 2, 1, 0].map((step) => html`<span class="y y${step}">${countText((top / 3) * step)}</span>`)}</div><div class="x" aria-hidden="true">${axisLabels(days).map((label) => html`<span>${label}</span>`)}</div></figure>`
}

type BarPlace = { readonly index: number; readonly top: number; readonly isLast: boolean }

function bar({ day, answered, unanswered }: Day, { index, top, isLast }: BarPlace): Html {
  const x = index * DAY_WIDTH
  const height = (count: number) => Number(((count / top) * HEIGHT).toFixed(2))
  const low = height(answered)
  const high = height(unanswered)
  const left = x + (DAY_WIDTH - BAR_WIDTH) / 2
  return html`<g${isLast && html` class="today"`}><title>${shortDay(day)}${isLast ? ' so far' : ''}: ${countText(answered + unanswered)} questions, ${countText(answered)} answered, ${countText(unanswered)} unanswered</title><rect class="hit" x="${x}" y="0" width="${DAY_WIDTH}" height="${HEIGHT}"/><rect class="answered" x="${left}" y="${HEIGHT - low}" width="${BAR_WIDTH}" height="${low}"/><rect class="unanswered" x="${left}" y="${HEIGHT - low - high}" width="${BAR_WIDTH}" height="${high}"/></g>`
}

/** At least 3, so that the steps are whole. */
function axisTop(largest: number): number {
  const third = Math.max(1, largest / 3)
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(third)))
  const step = STEPS.find((one) => one * scale >= third) ?? 10
  return step * scale * 3
}

function axisLabels(days: readonly Day[]): readonly string[] {
  const last = days.length - 1
  if (last < 0) return []
  const count = Math.min(LABELS, days.length)
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : Math.round((last * index) / (count - 1))
    return shortDay(days[at]?.day ?? '')
  })
}

/** The same numbers for those who read and do not look. */
export function dayTable(days: readonly Day[]): Html {
  const rows = days
    .toReversed()
    .map(
      ({ day, answered, unanswered, deployments }) =>
        html`<tr><th scope="row">${shortDay(day)}</th><td class="end">${countText(answered)}</td><td class="end">${countText(unanswered)}</td><td class="end">${countText(deployments)}</td></tr>`,
    )
  return html`<details class="as-table"><summary>${icon('chevron-right')}Read it as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Questions for each day"><table><caption class="sr-only">Questions for each day, the newest first</caption><thead><tr><th scope="col">Day</th><th scope="col" class="end">Answered</th><th scope="col" class="end">Unanswered</th><th scope="col" class="end">Deployments</th></tr></thead><tbody>${rows}</tbody></table></div></details>`
}

export type Rank = { readonly label: string; readonly count: number; readonly href: string }

/** A list with bars behind the words. */
export function rankList(ranks: readonly Rank[]): Html {
  const most = Math.max(1, ...ranks.map(({ count }) => count))
  const items = ranks.map(
    ({ label, count, href }) =>
      html`<li><svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${Number(((count / most) * 100).toFixed(1))}" height="10"/></svg><a class="cut" href="${href}">${label}</a><b>${countText(count)}</b></li>`,
  )
  return html`<ol class="ranks">${items}</ol>`
}
