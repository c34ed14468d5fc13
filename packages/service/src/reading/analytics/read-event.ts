/** What pages of a site tell, as far as it is stored: every text is cut, and free of keys and addresses. */
import { EVENT_LIMITS, PLAYGROUND_OUTCOMES, type SiteEvent } from '@octavo/model'
import { z } from 'zod'
import { parseBody, storable } from '../../platform/http/reader-body.ts'
import { decodePath } from '../../platform/http/reader-request.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { SUBJECT_LENGTH_MAX } from './event-buffer.ts'

const L = EVENT_LIMITS

const text = (max: number) => z.string().transform((value) => storable(value.slice(0, max)).trim())
const shortText = (max: number) => text(max).pipe(z.string().min(1)).optional()
/** Before it is cut: a part of a key is not known as one. */
const ownWords = (max: number) =>
  z
    .string()
    .transform((value) => maskSecrets(value))
    .pipe(text(max))
/** As browsers write it; counted as the files of a site are named. */
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

/** The same query in other letters, or with more spaces, is the same query. */
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
    // An address that the reader gives to be answered is stored as it is.
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
