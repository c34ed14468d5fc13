/**
 * Tests of the formats that have one exact definition. Values of any other format are accepted,
 * because tools disagree about them.
 */
const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['date-time', isDateTime],
  ['email', (text: string) => /^[^\s@]+@[^\s@]+$|^".{0,64}"@[^\s@]+$/u.test(text)],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uuid', (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)],
  ['uri', isUri],
])

/** Limits of numbers by format. */
const RANGES: ReadonlyMap<string, readonly [least: bigint, most: bigint]> = new Map([
  ['int32', [-(2n ** 31n), 2n ** 31n - 1n]],
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
])

/** An example that is longer is not tested. */
const LENGTH_MAX = 2_000

/** Returns false if the text surely does not have the format. */
export function hasFormat(text: string, format: string): boolean {
  return text.length > LENGTH_MAX || (FORMATS.get(format)?.(text) ?? true)
}

/** Returns false if a number, as written in the file, is surely outside of its format. */
export function isInRange(written: string, format: string): boolean {
  const range = RANGES.get(format)
  if (range === undefined || !/^-?\d{1,40}$/.test(written)) return true
  const value = BigInt(written)
  return value >= range[0] && value <= range[1]
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (day === undefined) return false
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const isMonth = Number(month) >= 1 && Number(month) <= 12
  return isMonth && Number(day) >= 1 && Number(day) <= last
}

/** Tests a time stamp of RFC 3339, which allows a space and small letters. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = [text.slice(0, 10), text.slice(10)]
  const pattern =
    /^[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
  return isDate(date) && pattern.test(time)
}

function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

function isIpv6(text: string): boolean {
  return /^[\da-f:.]{2,45}$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`)
}

/**
 * Tests for characters that no URL has. A scheme is not required: OpenAPI 3.0 does not define the
 * format, and many APIs use it for paths. Templates such as `{id}` are accepted.
 */
function isUri(text: string): boolean {
  return /^[^\s<>"\\^`]*$/.test(text)
}
