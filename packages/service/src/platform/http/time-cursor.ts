/**
 * A position in a list that is ordered by time and whose ids are unordered: the time and id of a
 * row.
 */
import { z } from 'zod'

export type TimeCursor = {
  /** Microseconds since 1970, the precision of the database. */
  readonly micros: string
  readonly id: string
}

/** A row id that is not a ULID: 60 random bits. */
export const ROW_ID = /^(?:\d{1,18}|[1-8]\d{18})$/

export const printTimeCursor = ({ micros, id }: TimeCursor) => `${micros}-${id}`

export const timeCursorParam = z
  .string()
  .transform((text, context): TimeCursor => {
    const [, micros, id = ''] = /^(\d{1,17})-(\d{1,19})$/.exec(text) ?? []
    if (micros !== undefined && ROW_ID.test(id)) return { micros, id }
    context.addIssue({
      code: 'custom',
      message: 'Expected the `nextCursor` of an earlier response.',
    })
    return z.NEVER
  })
  .optional()
  .meta({ description: '`nextCursor` of the previous page.' })
