/** Times as people say them, with the exact one in UTC behind. */
import { type Html, html } from '@octavo/theme'

const STEPS = [
  ['s', 1],
  ['min', 60],
  ['h', 3_600],
  ['day', 86_400],
  ['month', 2_629_800],
  ['year', 31_557_600],
] as const

/** `12 min ago`, `in 8 days`; the script keeps it up to date in the same words. */
export function relativeText(instant: string, now: number): string {
  const time = Date.parse(instant)
  if (Number.isNaN(time)) return instant
  const seconds = Math.round((time - now) / 1_000)
  const amount = span(Math.abs(seconds))
  return seconds > 0 ? `in ${amount}` : `${amount} ago`
}

function span(seconds: number): string {
  const step = STEPS.findLast(([, size]) => seconds >= size) ?? STEPS[0]
  const count = Math.max(1, Math.floor(seconds / step[1]))
  return `${count} ${count > 1 && step[0].length > 3 ? `${step[0]}s` : step[0]}`
}

export function timeTag(instant: string, now: number): Html {
  return html`<time datetime="${instant}" title="${exactText(instant)}" data-relative>${relativeText(instant, now)}</time>`
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `15 Nov 2026, 13:42 UTC` */
export function exactText(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  return `${dayText(instant)}, ${date.toISOString().slice(11, 16)} UTC`
}

/** `15 Nov 2026` */
export function dayText(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  return `${shortDay(instant)} ${date.getUTCFullYear()}`
}

/** `15 Nov` */
export function shortDay(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
}

/** `3.6 s`, `2 min 5 s` between two instants. */
export function durationText(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000
  if (!(seconds >= 0)) return '–'
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}
