/**
 * Prints and parses the position in a list that is sorted by count, then by text. Clients get it as
 * an opaque cursor.
 */
import { z } from 'zod'
import type { PageAfter } from './feedback-store.ts'

export const printPosition = ({ total, subject }: PageAfter) =>
  Buffer.from(JSON.stringify([total, subject])).toString('base64url')

const Position = z.tuple([z.number().min(0), z.string().max(1_000)])

export const PositionParam = z
  .string()
  .max(2_000)
  .transform((text, context): PageAfter => {
    const parsed = Position.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
    if (parsed.success && !parsed.data[1].includes('\0')) {
      const [total, subject] = parsed.data
      return { total, subject }
    }
    context.addIssue({
      code: 'custom',
      message: 'Expected the `nextCursor` of an earlier response.',
    })
    return z.NEVER
  })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
