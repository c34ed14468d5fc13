/** Values of the environment, as files named `settings.ts` next to their users read them. */
import { z } from 'zod'

/** What the fields of a group of variables read. */
export type ValuesOf<Variables extends z.core.$ZodLooseShape> = z.infer<z.ZodObject<Variables>>

/** The last port. */
const PORT_MAX = 65_535

/** A whole number in digits alone, so that `1e3`, ` ` and `0x10` are mistakes. */
export function wholeNumber(
  name: string,
  { min, max, example }: { readonly min: number; readonly max?: number; readonly example: number },
) {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
  const error = `${name} is a whole number ${range}, such as ${example}.`
  return z
    .string({ error })
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER), { error })
}

export const port = (name: string, example: number) =>
  wholeNumber(name, { min: 0, max: PORT_MAX, example })

export const yesOrNo = (name: string) => z.stringbool({ error: `${name} is true or false.` })

/** Any text but an empty one; `what` says what it is, with an example. */
export const filled = (name: string, what: string) => {
  const error = `${name} is ${what}.`
  return z.string({ error }).min(1, { error })
}

export const httpUrl = (name: string, what: string) =>
  z.url({ protocol: /^https?$/, error: `${name} is ${what}.` })

/** The parts of a list, which commas or spaces separate. */
export const splitList = (text: string): readonly string[] =>
  text.split(/[\s,]+/).filter((part) => part !== '')

/** A list whose parts all are right, or the first that is not, as `complain` says it. */
export const listOf = (
  isRight: (part: string) => boolean,
  complain: (wrong: string) => string,
  complete = (part: string) => part,
) =>
  z
    .string()
    .default('')
    .transform((text, context): readonly string[] => {
      const parts = splitList(text).map(complete)
      const wrong = parts.find((part) => !isRight(part))
      return wrong === undefined ? parts : refuse(context, complain(wrong))
    })

export function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}
