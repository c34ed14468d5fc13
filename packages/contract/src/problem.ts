import { z } from 'zod'

/** A problem as in RFC 9457. `code` is stable and meant for programs; `detail` is for people. */
export const ProblemReply = z.strictObject({
  type: z.string().meta({ description: 'The kind of problem, as a URI reference.' }),
  title: z.string().meta({ description: 'The kind of problem, for people.' }),
  status: z.number().meta({ description: 'The HTTP status.' }),
  code: z.string().meta({ description: 'The kind of problem, for programs. It does not change.' }),
  detail: z
    .string()
    .meta({ description: 'What is wrong with this request. The wording may change.' }),
  param: z.string().optional().meta({ description: 'The part of the request that is wrong.' }),
  errors: z
    .array(z.strictObject({ path: z.string(), reason: z.string() }))
    .optional()
    .meta({ description: 'All problems, if there can be more than one.' }),
  requestId: z.string().meta({ description: 'The same as in `X-Request-Id`.' }),
})
