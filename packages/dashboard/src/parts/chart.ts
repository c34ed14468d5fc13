/**
 * Bar charts by day. The bars are SVG, which stretches; the labels are HTML, which keeps its size.
 */
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'
import { countText } from './number.ts'
import { shortDay } from './time.ts'

export type DayChart = {
  /** A name such as `Questions`. */
  readonly name: string
  /** The series from bottom to top. */
  readonly series: readonly {
    readonly label: string
    readonly look: 'answered' | 'unanswered' | 'people' | 'agents'
  }[]
  readonly days: readonly ChartDay[]
}

type ChartDay = {
  readonly day: string
  /** One count for each series. */
  readonly counts: readonly number[]
  /** The number of deployments on this day, shown as a mark below the bar. */
  readonly deployments?: number
}

const DAY_WIDTH = 10
const BAR_WIDTH = 7
const HEIGHT = 100
const LABELS = 5
/** The possible sizes of one step of the axis before scaling. The axis has three equal steps. */
const STEPS = [1, 2, 3, 4, 5, 6, 7, 8, 10]
/** Larger numbers are abbreviated, since they do not fit next to the axis. */
const WRITTEN_OUT_MAX = 9_999
const COMPACT = new Intl.NumberFormat('en-GB', { notation: 'compact' })

export function dayChart(chart: DayChart, labelledBy: string): Html {
  const { name, days } = chart
  const top = axisTop(Math.max(0, ...days.map(({ counts }) => sum(counts))))
  const width = days.length * DAY_WIDTH
  const lines = [0, 1, 2].map(
    (step) =>
      html`<line x1="0" x2="${width}" y1="${(HEIGHT * step) / 3}" y2="${(HEIGHT * step) / 3}"/>`,
  )
  const marks = days.map(
    ({ deployments = 0 }, index) =>
      deployments > 0 &&
      html`<rect class="mark" x="${index * DAY_WIDTH + 3.9}" y="103" width="2.2" height="2.6"/>`,
  )
  const all = describeCounts(chart, totals(chart))
  return html`
    <figure class="chart" aria-labelledby="${labelledBy}">
      <div class="plot">
        <svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img"
          aria-label="${name} for each day. ${all}. The table below lists every day.">
          ${lines}
          ${days.map((_, index) => bar(chart, index, top))}
          ${marks}
          <line class="base" x1="0" x2="${width}" y1="${HEIGHT}" y2="${HEIGHT}"/>
        </svg>
        ${[3, 2, 1, 0].map((step) => html`<span class="y y${step}">${axisText((top / 3) * step)}</span>`)}
      </div>
      <div class="x" aria-hidden="true">${axisLabels(days).map((label) => html`<span>${label}</span>`)}</div>
    </figure>
  `
}

function bar(chart: DayChart, index: number, top: number): Html {
  const { series, days } = chart
  const { day = '', counts = [] } = days[index] ?? {}
  const isLast = index === days.length - 1
  const x = index * DAY_WIDTH
  const left = x + (DAY_WIDTH - BAR_WIDTH) / 2
  const heights = counts.map((count) => Number(((count / top) * HEIGHT).toFixed(2)))
  const parts = heights.map((height, at) => {
    const y = HEIGHT - sum(heights.slice(0, at + 1))
    return html`
      <rect class="${series[at]?.look}" x="${left}" y="${Number(y.toFixed(2))}" width="${BAR_WIDTH}"
        height="${height}"/>
    `
  })
  return html`
    <g${isLast && html` class="today"`}>
      <title>${shortDay(day)}${isLast ? ' so far' : ''}: ${describeCounts(chart, counts)}</title>
      <rect class="hit" x="${x}" y="0" width="${DAY_WIDTH}" height="${HEIGHT}"/>
      ${parts}
    </g>
  `
}

/** Returns text such as `120 questions, 110 answered, 10 unanswered`. */
function describeCounts({ name, series }: DayChart, counts: readonly number[]): string {
  const parts = series.map(
    ({ label }, at) => `${countText(counts[at] ?? 0)} ${label.toLowerCase()}`,
  )
  return [`${countText(sum(counts))} ${name.toLowerCase()}`, ...parts].join(', ')
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

const totals = ({ series, days }: DayChart) =>
  series.map((_, at) => sum(days.map(({ counts }) => counts[at] ?? 0)))

/** Returns the top of the axis, at least 3, so that the steps are integers. */
function axisTop(largest: number): number {
  const third = Math.max(1, largest / 3)
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(third)))
  const step = STEPS.find((one) => one * scale >= third) ?? 10
  return step * scale * 3
}

const axisText = (value: number) =>
  value > WRITTEN_OUT_MAX ? COMPACT.format(value) : countText(value)

function axisLabels(days: readonly ChartDay[]): readonly string[] {
  const last = days.length - 1
  if (last < 0) return []
  const count = Math.min(LABELS, days.length)
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : Math.round((last * index) / (count - 1))
    return shortDay(days[at]?.day ?? '')
  })
}

export function chartLegend(chart: DayChart): Html {
  const sums = totals(chart)
  const items = chart.series.map(
    ({ label, look }, at) =>
      html`<span><i class="swatch ${look}"></i>${label} ${countText(sums[at] ?? 0)}</span>`,
  )
  return html`
    <div class="legend">
      ${items}
      ${hasDeployments(chart) && html`<span><i class="swatch mark"></i>Deployment</span>`}
    </div>
  `
}

const hasDeployments = ({ days }: DayChart) =>
  days.some(({ deployments }) => deployments !== undefined)

/** Renders the numbers of the chart as a table, for screen readers. */
export function dayTable(chart: DayChart): Html {
  const { name, series, days } = chart
  const labels = [
    ...series.map(({ label }) => label),
    ...(hasDeployments(chart) ? ['Deployments'] : []),
  ]
  const rows = days.toReversed().map(({ day, counts, deployments }) => {
    const numbers = deployments === undefined ? counts : [...counts, deployments]
    return html`
      <tr>
        <th scope="row">${shortDay(day)}</th>
        ${numbers.map((count) => html`<td class="end">${countText(count)}</td>`)}
      </tr>
    `
  })
  return html`
    <details class="as-table">
      <summary>${icon('chevron-right')}Show as a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="${name} for each day">
        <table>
          <caption class="sr-only">${name} per day, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              ${labels.map((label) => html`<th scope="col" class="end">${label}</th>`)}
            </tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
    </details>
  `
}

export type Rank = {
  readonly label: string
  readonly count: number
  /** The address that the label links to; without one, the label is plain text. */
  readonly href?: string | undefined
  readonly delta?: HtmlPart
}

/** Renders a ranked list with a bar behind each label. */
export function rankList(ranks: readonly Rank[], look?: 'agents'): Html {
  const most = Math.max(1, ...ranks.map(({ count }) => count))
  const items = ranks.map(
    ({ label, count, href, delta }) =>
      html`
        <li>
          <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect${look && html` class="${look}"`} width="${Number(((count / most) * 100).toFixed(1))}" height="10"/>
          </svg>
          ${
            href === undefined
              ? html`<span class="cut">${label}</span>`
              : html`<a class="cut" href="${href}">${label}</a>`
          }
          ${delta}
          <b>${countText(count)}</b>
        </li>
      `,
  )
  return html`<ol class="ranks">${items}</ol>`
}
