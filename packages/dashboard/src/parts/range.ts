/** The form that selects the time range of statistics. */
import { type Html, html } from './html.ts'

const RANGES = [7, 30, 90]
const RANGE_DEFAULT = 30
const DAY_MS = 86_400_000

export function readRange(url: URL): number {
  const wanted = Number(url.searchParams.get('days'))
  return RANGES.includes(wanted) ? wanted : RANGE_DEFAULT
}

/** Returns the first day of a period of this many days that ends today, in UTC. */
export function firstDay(days: number, now: number): string {
  return new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10)
}

export function rangeForm(days: number): Html {
  const choices = RANGES.map(
    (range) =>
      html`<option value="${range}"${range === days && html` selected`}>Last ${range} days</option>`,
  )
  return html`
    <form method="get" class="actions" data-submit-on-change>
      <label class="sr-only" for="range">Time</label>
      <select id="range" name="days">${choices}</select>
      <button class="button" data-without-script>Show</button>
    </form>
  `
}
