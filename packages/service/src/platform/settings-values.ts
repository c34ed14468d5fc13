/** Parsers for environment variables, used by the files named `settings.ts`. */
import { z } from 'zod'

/** The parsed values of a group of variables. */
export type ValuesOf<Variables extends z.core.$ZodLooseShape> = z.infer<z.ZodObject<Variables>>

const PORT_MAX = 65_535

/** Parses a whole number. Only digits are allowed, so that `1e3`, ` ` and `0x10` are errors. */
export function wholeNumber(
  name: string,
  { min, max, example }: { readonly min: number; readonly max?: number; readonly example: number },
) {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
  const error = `${name} must be a whole number ${range}, such as ${example}.`
  return z
    .string({ error })
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER), { error })
}

export const port = (name: string, example: number) =>
  wholeNumber(name, { min: 0, max: PORT_MAX, example })

export const booleanValue = (name: string) =>
  z.stringbool({ error: `${name} must be true or false.` })

/**
 * Accepts any text that is not empty. `what` describes the value in the error message, with an
 * example.
 */
export const filled = (name: string, what: string) => {
  const error = `${name} must be ${what}.`
  return z.string({ error }).min(1, { error })
}

export const httpUrl = (name: string, what: string) =>
  z.url({ protocol: /^https?$/, error: `${name} must be ${what}.` })

/** Splits a list at commas and spaces. */
export const splitList = (text: string): readonly string[] =>
  text.split(/[\s,]+/).filter((part) => part !== '')

/** Parses a list of values; reports the first invalid one with the message from `complain`. */
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
