/** Keeps relative times such as "12 min ago" up to date, in the same format as the service. */

const EVERY_MS = 20_000
/** A unit, its length in seconds, and the number of seconds from which it is used. */
const STEPS = [
  ['s', 1, 0],
  ['min', 60, 60],
  ['h', 3_600, 3_600],
  ['day', 86_400, 86_400],
  ['month', 2_629_800, 5_259_600],
  ['year', 31_557_600, 63_115_200],
] as const
const COUNTED = ['day', 'month', 'year']

export function updateRelativeTimes(): void {
  setInterval(() => {
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]'))
      time.textContent = relativeText(Date.parse(time.dateTime), Date.now())
  }, EVERY_MS)
}

function relativeText(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1_000)
  const size = Math.abs(seconds)
  const [unit, length] = STEPS.findLast((step) => size >= step[2]) ?? STEPS[0]
  const round = seconds > 0 ? Math.round : Math.floor
  const count = Math.max(1, round(size / length))
  const amount = `${count} ${unit}${count > 1 && COUNTED.includes(unit) ? 's' : ''}`
  return seconds > 0 ? `in ${amount}` : `${amount} ago`
}
