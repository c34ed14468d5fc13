/** Defines parameters and query fields that routes in several folders share. */
import { z } from 'zod'
import { Problem } from '../problem.ts'
import { parseUlid } from '../ulid.ts'
import { parseBound } from './instant.ts'

export const JSON_FORMAT = 'application/json'
const LIST_MAX = 100

export const NO_QUERY = z.object({})

const projectId = z
  .string()
  .meta({ description: 'The project id.', examples: ['prj_5kbu4k41mpelzrqs'] })
export const ulidParam = (message: string) =>
  z.string().transform((text, context) => {
    const id = parseUlid(text)
    if (id !== undefined) return id
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
export const ProjectParams = z.object({ projectId })
export const cursorParam = ulidParam('Expected the `nextCursor` of an earlier response.')

export const wholeNumber = (max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) <= max, {
      message: `Expected a whole number up to ${max}.`,
    })
    .transform(Number)

const FILTER_LENGTH_MAX = 250
/** The query parameter with the text that filters a list. */
export const filterText = z
  .string()
  .min(1)
  .max(FILTER_LENGTH_MAX)
  .refine((text) => !text.includes('\0'), { error: 'Expected text without zero bytes.' })
  .optional()

/** The query parameters of a paged list; `noun` names its items. */
export const pageQuery = (noun: string) => ({
  cursor: z.string().optional().meta({ description: '`nextCursor` of the previous page.' }),
  limit: wholeNumber(LIST_MAX)
    .default(20)
    .meta({
      description: `${noun} per page.`,
      type: 'integer',
      minimum: 1,
      maximum: LIST_MAX,
      default: 20,
    }),
})

/** Parses a date parameter and returns milliseconds since 1970. */
export const dateParam = z.string().transform((text, context) => {
  const ms = parseBound(text)
  if (ms !== undefined) return ms
  context.addIssue({
    code: 'custom',
    message:
      'Expected a date such as 2026-01-31, or a timestamp such as 2026-01-31T12:00:00Z, from 1970 on.',
  })
  return z.NEVER
})

type DateRange = { readonly fromMs: number | undefined; readonly toMs: number | undefined }

/**
 * Throws a problem if the start of the range is after its end. `param` is the name of the start
 * parameter.
 */
export function checkDates({ fromMs, toMs }: DateRange, param: 'dateFrom' | 'from'): void {
  if (fromMs === undefined || toMs === undefined || fromMs <= toMs) return
  const end = param === 'from' ? 'to' : 'dateTo'
  throw new Problem('invalid-request', `\`${param}\` is after \`${end}\`.`, { param })
}
