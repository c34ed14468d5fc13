import { z } from 'zod'

const LENGTH_MAX = 200
/** Names appear in the service's e-mails, where a link would look trustworthy. */
const LINK = /:\/\/|\bwww\./iu
/**
 * Line breaks and other control characters, lone surrogates, and characters that change the text
 * direction.
 */
const CONTROL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** The name of a person, project or organization. */
export const displayName = (missing: string) =>
  z
    .string()
    .trim()
    .min(1, { error: missing })
    .max(LENGTH_MAX)
    .refine((name) => !LINK.test(name), { error: 'A name cannot contain a link.' })
    .refine((name) => !CONTROL.test(name), {
      error: 'A name cannot contain line breaks or control characters.',
    })
