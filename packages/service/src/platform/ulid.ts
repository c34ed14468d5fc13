const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_DIGITS = 10

/** Returns the ULID in uppercase; undefined if the text is not a ULID. */
export function parseUlid(text: string): string | undefined {
  const upper = /^[0-9A-Za-z]{26}$/.test(text) ? text.toUpperCase() : ''
  return ULID.test(upper) ? upper : undefined
}

/**
 * Returns the smallest possible ULID of a millisecond, which turns a date filter into a range of
 * ids.
 */
export function ulidFloor(ms: number): string {
  let rest = ms
  let digits = ''
  for (let count = 0; count < TIME_DIGITS; count += 1) {
    digits = `${DIGITS[rest % 32]}${digits}`
    rest = Math.floor(rest / 32)
  }
  return `${digits}0000000000000000`
}

/** Returns the timestamp of an id in milliseconds. */
export function ulidMs(id: string): number {
  let ms = 0
  for (const digit of id.slice(0, TIME_DIGITS)) ms = ms * 32 + DIGITS.indexOf(digit)
  return ms
}
