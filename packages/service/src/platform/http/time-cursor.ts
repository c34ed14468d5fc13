/**
 * A cursor for lists that are ordered by time and whose ids are random: the time and the id of a
 * row.
 */
import { z } from 'zod'

export type TimeCursor = {
  /** Microseconds since 1970, which is the precision of the database. */
  readonly micros: string
  readonly id: string
}

/** Matches a row id that is not a ULID but a random number of 60 bits. */
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
