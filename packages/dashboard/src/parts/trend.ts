/** Shows how a number changed: the signed change from the previous period, and a line by day. */
import { type Html, type HtmlPart, html } from './html.ts'

export type TrendLook = 'people' | 'agents' | 'missed'

const WIDTH = 100
const HEIGHT = 30
/** The space above and below the line, so that its stroke is inside the box. */
const MARGIN = 3
const POINTS_MIN = 2

/**
 * Renders the values by day as a line, which needs at least two. Days without a value are skipped.
 * The line is hidden from screen readers, which get the number and its change.
 */
export function trendLine(days: readonly (number | undefined)[], look: TrendLook): HtmlPart {
  const values = days.filter((value) => value !== undefined)
  if (values.length < POINTS_MIN) return undefined
  const least = Math.min(...values)
  const span = Math.max(...values) - least
  const step = WIDTH / (values.length - 1)
  const points = values.map((value, index) => {
    // If all values are equal, the line is in the middle, or at the bottom if they are 0.
    const share = span === 0 ? (least === 0 ? 0 : 0.5) : (value - least) / span
    const y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)
    return `${Number((index * step).toFixed(1))},${Number(y.toFixed(1))}`
  })
  return html`
    <svg class="trend ${look}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      <polygon points="0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}"/>
      <polyline points="${points.join(' ')}"/>
    </svg>
  `
}

/** The direction that is an improvement; without it, the change has no color. */
export type Wanted = 'more' | 'fewer'

/** Returns the change in percent; undefined if the previous value is 0. */
export function changeOf(now: number, before: number, wanted?: Wanted): HtmlPart {
  if (before === 0) return undefined
  return delta(Math.round(((now - before) / before) * 100), '%', wanted)
}

/** Returns the change of a share in percentage points; undefined if either share has no value. */
export function pointsOf(
  now: number | undefined,
  before: number | undefined,
  wanted?: Wanted,
): HtmlPart {
  if (now === undefined || before === undefined) return undefined
  return delta(Math.round((now - before) * 1_000) / 10, ' pts', wanted)
}

function delta(change: number, unit: string, wanted: Wanted | undefined): Html {
  const isMore = change > 0
  const look = wanted === undefined || change === 0 ? '' : tone(isMore === (wanted === 'more'))
  const text = change === 0 ? '0' : signed(String(change))
  return html`<span class="delta${look}">${text}${unit}</span>`
}

const tone = (isGood: boolean) => (isGood ? ' good' : ' poor')

export const signed = (text: string) => (text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`)
