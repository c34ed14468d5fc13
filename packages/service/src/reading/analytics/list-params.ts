/** Parameters that all lists of statistics share: days, limits and cursors. */
import { z } from 'zod'
import { checkDates, dateParam, wholeNumber } from '../../platform/http/params.ts'
import type { Period } from './count-store.ts'
import { PositionParam, printPosition } from './position.ts'

export const TAG = 'Analytics'
export const PATH = '/v1/analytics/:projectId'
export const READ = { kind: 'adminKey', scope: 'views:read' } as const
const DAY_MS = 86_400_000
const DAYS_DEFAULT = 30
const DAYS_MAX = 800
const OFFSET_MAX = 9_999

const DATES = {
  dateFrom: dateParam.optional().meta({
    description: `The first day, in UTC. The default is ${DAYS_DEFAULT} days ago.`,
    examples: ['2026-01-01'],
  }),
  dateTo: dateParam.optional().meta({
    description: 'The end, exclusive, in UTC. If it has a time, its day is included.',
    examples: ['2026-02-01'],
  }),
}
export const limitOf = (max: number, standard: number) =>
  wholeNumber(max)
    .refine((limit) => limit > 0, { message: `Expected a whole number from 1 to ${max}.` })
    .default(standard)
    .meta({
      description: `Items per page, 1 to ${max}.`,
      type: 'integer',
      minimum: 1,
      maximum: max,
      default: standard,
    })
export const offset = wholeNumber(OFFSET_MAX).default(0).meta({
  description: 'The number of items to skip. Use `cursor` to read beyond the maximum.',
  type: 'integer',
  minimum: 0,
  maximum: OFFSET_MAX,
  default: 0,
})
export const cursor = PositionParam.optional().meta({
  description: '`nextCursor` of the previous page.',
})
export const Dates = z.object(DATES)

/**
 * Returns the period in days. It is limited to 800 days, because counts are deleted after 25
 * months.
 */
export function periodOf(
  { dateFrom, dateTo }: z.output<typeof Dates>,
  nowMs: number,
  daysMax = DAYS_MAX,
): Period {
  checkDates({ fromMs: dateFrom, toMs: dateTo }, 'dateFrom')
  const to = Math.ceil((dateTo ?? nowMs + 1) / DAY_MS)
  const from = dateFrom === undefined ? to - DAYS_DEFAULT : Math.floor(dateFrom / DAY_MS)
  return { from: dayText(Math.max(from, to - daysMax)), to: dayText(to) }
}

const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

type Ranked = { readonly total: number; readonly subject: string }

/** Removes the extra row that was read to find out whether there are more rows. */
export function cutPage<Row extends { readonly total: number }>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Ranked = (row) => row as Row & Ranked,
) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  return { items, nextCursor: hasMore && last ? printPosition(positionOf(last)) : null, hasMore }
}
