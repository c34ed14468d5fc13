/** A place in a list in the order of time, whose ids have no order: the instant of a row and its id. */
import { z } from 'zod'

export type TimeCursor = {
  /** Microseconds since 1970, as the database counts them. */
  readonly micros: string
  readonly id: string
}

/** The id of a row that is no ULID: 60 random bits. */
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
