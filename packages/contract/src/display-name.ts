import { z } from 'zod'

const LENGTH_MAX = 200
/** Names appear in mails that the service sends, where a link would look like one of ours. */
const LINK = /:\/\/|\bwww\./iu
/** Line breaks and other control characters, halves of characters, and marks that turn the direction of the text around. */
const CONTROL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** The name of a person, a project or an organization, as it is typed. */
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
