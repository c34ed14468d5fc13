/**
 * Parses dates in the API: a day (UTC midnight) or an instant in ISO 8601, in the extended format
 * (`2026-01-31T12:00:00Z`) or the basic format (`20260131T120000Z`). A time without an offset is in
 * UTC. The grammar is strict: `Date` would read 2024-02-30 as 1 March and `0` as the year 2000.
 * Week dates, ordinal dates, months without a day and 24:00 are rejected.
 */
const OFFSET = '(?:[Zz]|([+-])(\\d{2})(?::?(\\d{2}))?)?'
const FRACTION = '(?:[.,](\\d{1,9}))?'
const EXTENDED = new RegExp(
  `^(\\d{4})-(\\d{2})-(\\d{2})(?:[Tt](\\d{2})(?::(\\d{2})(?::(\\d{2})${FRACTION})?)?${OFFSET})?$`,
)
const BASIC = new RegExp(
  `^(\\d{4})(\\d{2})(\\d{2})(?:[Tt](\\d{2})(?:(\\d{2})(?:(\\d{2})${FRACTION})?)?${OFFSET})?$`,
)

const OFFSET_MINUTES_MAX = 14 * 60

/**
 * Returns the milliseconds since 1970; undefined if the text is not a valid date. Fractions of a
 * millisecond are dropped.
 */
export function parseInstant(text: string): number | undefined {
  return parse(text)?.ms
}

/**
 * Returns the milliseconds since 1970, rounded up. Timestamps of rows are whole milliseconds, so
 * the result can be the inclusive start or the exclusive end of a range.
 */
export function parseBound(text: string): number | undefined {
  const parsed = parse(text)
  return parsed && parsed.ms + (parsed.isCut ? 1 : 0)
}

function parse(text: string): { readonly ms: number; readonly isCut: boolean } | undefined {
  const parts = EXTENDED.exec(text) ?? BASIC.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = parts
  const start = dayStart(year, month, day)
  const offset = parseOffset(parts[8], parts[9], parts[10])
  if (start === undefined || offset === undefined) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const inDay = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const ms = start + inDay * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset * 60_000
  return ms < 0 ? undefined : { ms, isCut: Number(fraction.slice(3)) > 0 }
}

function dayStart(year = '', month = '', day = ''): number | undefined {
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // Rejects years before 1970, and days that do not exist, which `Date.UTC` turns into other days.
  if (Number(year) < 1970) return undefined
  return new Date(ms).toISOString().startsWith(`${year}-${month}-${day}T`) ? ms : undefined
}

function parseOffset(sign?: string, hour = '0', minute = '0'): number | undefined {
  if (sign === undefined) return 0
  const minutes = Number(hour) * 60 + Number(minute)
  if (Number(minute) > 59 || minutes > OFFSET_MINUTES_MAX) return undefined
  return sign === '-' ? -minutes : minutes
}
