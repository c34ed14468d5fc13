/** Formats times relative to now, with the exact time in UTC. */
import { type Html, html } from './html.ts'

/**
 * Units, each with its length in seconds and the minimum number of seconds for which it is used:
 * `43 days` is better than `1 month`.
 */
const STEPS = [
  ['s', 1, 0],
  ['min', 60, 60],
  ['h', 3_600, 3_600],
  ['day', 86_400, 86_400],
  ['month', 2_629_800, 5_259_600],
  ['year', 31_557_600, 63_115_200],
] as const
const COUNTED = ['day', 'month', 'year']

/** Returns text such as `12 min ago` or `in 8 days`; the script keeps it up to date. */
function relativeText(instant: string, now: number): string {
  const time = Date.parse(instant)
  if (Number.isNaN(time)) return instant
  const seconds = Math.round((time - now) / 1_000)
  // What has passed is rounded down; what is left, such as a year minus a second, to the nearest.
  const amount = span(Math.abs(seconds), seconds > 0 ? Math.round : Math.floor)
  return seconds > 0 ? `in ${amount}` : `${amount} ago`
}

function span(seconds: number, round = Math.floor): string {
  const [unit, size] = STEPS.findLast(([, , from]) => seconds >= from) ?? STEPS[0]
  const count = Math.max(1, round(seconds / size))
  return `${count} ${unit}${count > 1 && COUNTED.includes(unit) ? 's' : ''}`
}

export function timeTag(instant: string, now: number): Html {
  return html`
    <time datetime="${instant}" title="${exactText(instant)}" data-relative>
      ${relativeText(instant, now)}
    </time>
  `
}

/** Returns the time since an instant, such as `5 h`. */
export function spanTag(instant: string, now: number): Html {
  const seconds = Math.max(0, Math.round((now - Date.parse(instant)) / 1_000))
  return html`<time datetime="${instant}" title="${exactText(instant)}">${span(seconds)}</time>`
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Returns text such as `15 Nov 2026, 13:42 UTC`. */
export function exactText(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  return `${dayText(instant)}, ${date.toISOString().slice(11, 16)} UTC`
}

/** Returns text such as `15 Nov 2026`. */
export function dayText(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  return `${shortDay(instant)} ${date.getUTCFullYear()}`
}

/** Returns text such as `15 Nov`. */
export function shortDay(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
}

/** Returns text such as `15 November`, with the year if it is not the current one. */
export function longDay(instant: string, now: number): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  const year = date.getUTCFullYear()
  const month = date.toLocaleString('en', { month: 'long', timeZone: 'UTC' })
  return `${date.getUTCDate()} ${month}${year === new Date(now).getUTCFullYear() ? '' : ` ${year}`}`
}

/** Returns text such as `13:42`, in UTC. */
export function clockText(instant: string): string {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? instant : date.toISOString().slice(11, 16)
}

/** Returns the time between two instants, such as `3.6 s` or `2 min 5 s`. */
export function durationText(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000
  if (!(seconds >= 0)) return '–'
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}
