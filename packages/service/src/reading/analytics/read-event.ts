/**
 * Parses the events that pages send. All text is truncated, and API keys and e-mail addresses in it
 * are masked.
 */
import { EVENT_LIMITS, PLAYGROUND_OUTCOMES, type SiteEvent } from '@octavo/model'
import { z } from 'zod'
import { parseBody, storable } from '../../platform/http/reader-body.ts'
import { decodePath } from '../../platform/http/reader-request.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { SUBJECT_LENGTH_MAX } from './event-buffer.ts'

const L = EVENT_LIMITS

const text = (max: number) => z.string().transform((value) => storable(value.slice(0, max)).trim())
const shortText = (max: number) => text(max).pipe(z.string().min(1)).optional()
/**
 * Secrets are masked before the text is truncated, because a part of a key would not be recognized.
 */
const ownWords = (max: number) =>
  z
    .string()
    .transform((value) => maskSecrets(value))
    .pipe(text(max))
/**
 * Paths that browsers send percent-encoded. They are decoded to the form of the site's file names.
 */
const path = z
  .string()
  .max(3 * SUBJECT_LENGTH_MAX)
  .transform((value) => storable(decodePath(value) ?? ''))
  .pipe(
    z
      .string()
      .max(SUBJECT_LENGTH_MAX)
      .regex(/^\/(?!\/)[^?#]*$/),
  )
const key = z.uuid()

/** Normalizes queries, so that differences in case or spacing do not matter. */
const query = ownWords(L.queryLength).transform((value) =>
  value.toLowerCase().replaceAll(/\s+/g, ' '),
)

const EventBody = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('search'),
    query: query.pipe(z.string().min(1)),
    results: z.int().min(0).max(10_000),
  }),
  z.strictObject({ type: z.literal('search-click'), query: query.pipe(z.string().min(1)), path }),
  z.strictObject({ type: z.literal('playground'), path, outcome: z.enum(PLAYGROUND_OUTCOMES) }),
  z.strictObject({
    type: z.literal('feedback'),
    key,
    path,
    helpful: z.boolean(),
    comment: ownWords(L.commentLength).pipe(z.string().min(1)).optional(),
    // The reader provides the contact address on purpose, so it is not masked.
    contact: shortText(L.contactLength),
  }),
  z.strictObject({
    type: z.literal('code-feedback'),
    key,
    path,
    code: text(L.codeLength),
    filename: shortText(L.nameLength),
    lang: shortText(L.nameLength),
    comment: ownWords(L.commentLength).pipe(z.string().min(1)).optional(),
  }),
])

export const readEvent = (body: Buffer): SiteEvent => parseBody(EventBody, body)
