/**
 * Dates of the API: `YYYY-MM-DD` (UTC midnight) or ISO 8601 with an offset. One strict grammar:
 * `Date` would read 2024-02-30 as 1 March and `0` as the year 2000.
 */
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

const OFFSET_MINUTES_MAX = 14 * 60

/** Milliseconds since 1970, or nothing if the text is not such a date. Fractions are cut to ms. */
export function parseInstant(text: string): number | undefined {
  const date = DATE.exec(text)
  if (date !== null) return dayStart(date[1], date[2], date[3])
  const parts = INSTANT.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] =
    parts
  const start = dayStart(year, month, day)
  const offset = parseOffset(sign, offsetHour, offsetMinute)
  if (start === undefined || offset === undefined) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const inDay = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const ms = start + inDay * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset * 60_000
  return ms < 0 ? undefined : ms
}

function dayStart(year = '', month = '', day = ''): number | undefined {
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // Years below 1970 are refused, and a day that does not exist comes back as another one.
  if (Number(year) < 1970) return undefined
  return new Date(ms).toISOString().startsWith(`${year}-${month}-${day}T`) ? ms : undefined
}

function parseOffset(sign?: string, hour = '0', minute = '0'): number | undefined {
  if (sign === undefined) return 0
  const minutes = Number(hour) * 60 + Number(minute)
  if (Number(minute) > 59 || minutes > OFFSET_MINUTES_MAX) return undefined
  return sign === '-' ? -minutes : minutes
}
