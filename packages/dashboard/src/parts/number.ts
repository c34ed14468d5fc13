/** Formats numbers for the dashboard. */

const COUNT = new Intl.NumberFormat('en-GB')

export const countText = (value: number) => COUNT.format(value)

/** Returns `1 page` or `3 pages`; `plural` is for words whose plural does not just add s. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : plural}`
}

export function percentText(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = (part / whole) * 100
  return `${percent === 100 ? '100' : percent.toFixed(1)}%`
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000
    unit += 1
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  return `${value.toFixed(digits)} ${UNITS[unit]}`
}
