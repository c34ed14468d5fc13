/** Parses and validates the input of API requests. No other code does this. */
import { parseAccept } from 'hono/utils/accept'
import type { z } from 'zod'
import { Problem } from '../problem.ts'
import { explainIssue } from './explain-issue.ts'

export const BODY_BYTES_MAX = 8 * 1024 * 1024

/**
 * Returns the content length. If it is too large, throws a problem that closes the connection
 * before the body is read.
 */
export function lengthOf(request: Request, bytesMax: number): number {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > bytesMax) throw bodyTooLarge(bytesMax)
  return length
}

export function readIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new Problem('invalid-request', 'Expected 1 to 200 visible ASCII characters.', {
    param: 'Idempotency-Key',
  })
}

/**
 * Throws "not found" for path parameters with a NUL character. PostgreSQL cannot store NUL, so no
 * row has such an id.
 */
export function requireText(params: Readonly<Record<string, string>>): void {
  if (Object.values(params).some((value) => value.includes('\0')))
    throw new Problem('not-found', 'This URL does not exist.')
}

/**
 * Parses path parameters. An id with an invalid format gets the same status as an id that does not
 * exist.
 */
export function parseParams<Params extends z.ZodObject>(
  schema: Params,
  params: Readonly<Record<string, string>>,
): z.output<Params> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  throw new Problem('not-found', parsed.error.issues[0]?.message ?? 'Not found.')
}

/**
 * Parses the query. Each parameter may occur only once. The response to an unknown parameter lists
 * the known ones.
 */
export function parseQuery<Query extends z.ZodObject>(
  schema: Query,
  search: string,
): z.output<Query> {
  const known = Object.keys(schema.shape)
  const values = new Map<string, string>()
  for (const [name, value] of readPairs(search)) {
    if (!known.includes(name)) {
      const list = known.length === 0 ? 'none' : known.join(', ')
      throw new Problem('invalid-request', `Unknown parameter. Available: ${list}.`, {
        param: clip(name),
      })
    }
    if (value.includes('\0'))
      throw new Problem('invalid-request', `\`${name}\` has a NUL character.`, { param: name })
    if (values.has(name)) {
      throw new Problem('invalid-request', `\`${name}\` is given more than once.`, { param: name })
    }
    values.set(name, value)
  }
  const parsed = schema.safeParse(Object.fromEntries(values), { error: explainIssue })
  if (parsed.success) return parsed.data
  throw fromIssue(parsed.error)
}

/**
 * Splits the query into pairs. Invalid percent-encoding is an error and is not decoded to
 * replacement characters.
 */
function readPairs(search: string): readonly (readonly [string, string])[] {
  const text = search.replace(/^\?/, '')
  if (text === '') return []
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=')
      try {
        const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
        return [decode(name), decode(rest.join('='))] as const
      } catch {
        throw new Problem('invalid-request', 'The query is not valid percent-encoded UTF-8.', {
          param: clip(name),
        })
      }
    })
}

type BodyRules = {
  readonly body: z.ZodType
  readonly bytesMax: number
  /**
   * Converts the values of an NDJSON body to the equivalent JSON body; undefined if the route
   * accepts only JSON.
   */
  readonly fromLines?: ((lines: readonly unknown[]) => unknown) | undefined
}

export async function parseBody(
  request: Request,
  { body: schema, bytesMax, fromLines }: BodyRules,
): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').trim()
  const [, format = ''] =
    /^application\/(json|x-ndjson)(?:\s*;\s*charset=utf-8)?$/i.exec(type) ?? []
  const lines = format.toLowerCase() === 'x-ndjson' ? fromLines : undefined
  if (format.toLowerCase() !== 'json' && lines === undefined)
    throw new Problem(
      'invalid-request',
      fromLines === undefined
        ? 'The request body must be JSON: send `Content-Type: application/json`.'
        : 'The request body must be JSON or NDJSON: send `Content-Type: application/json` or `application/x-ndjson`.',
      { param: 'Content-Type' },
    )
  lengthOf(request, bytesMax)
  const bytes = await request.arrayBuffer().catch((cause: unknown) => {
    // The client disconnected. The error must not be mistaken for a broken database connection.
    throw new Problem('invalid-request', 'The request body is incomplete.', {
      param: 'body',
      cause,
    })
  })
  const text = decodeUtf8(bytes)
  const value = lines === undefined ? parseJson(text) : lines(parseLines(text))
  const parsed = schema.safeParse(value, { error: explainIssue })
  if (parsed.success) return parsed.data
  throw fromIssue(parsed.error)
}

function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidJson('The request body')
  }
}

function parseJson(text: string, what = 'The request body'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson(what)
  }
}

const invalidJson = (what: string) =>
  new Problem('invalid-request', `${what} is not valid UTF-8 JSON.`, { param: 'body' })

/** Parses each line as JSON. Empty lines, such as the last one, are skipped. */
const parseLines = (text: string) =>
  text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseJson(line, `Line ${index + 1}`)]))

export function bodyTooLarge(bytesMax: number): Problem {
  return new Problem('too-large', `The request body must not exceed ${bytesMax} bytes.`, {
    headers: { connection: 'close' },
  })
}

function fromIssue(error: z.ZodError): Problem {
  const [issue] = error.issues
  const param = issue === undefined ? '' : issue.path.map(String).join('.')
  const detail = issue?.message ?? 'The request is not valid.'
  return new Problem('invalid-request', detail, param === '' ? {} : { param: clip(param) })
}

const SHOWN_MAX = 100

/** Shortens untrusted text before it is shown. */
function clip(text: string): string {
  const shown = text.toWellFormed().replaceAll(/\p{C}/gu, '\ufffd')
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}…` : shown
}

/** Returns the available format that the client prefers. */
export function chooseFormat(accept: string | null, formats: readonly string[]): string {
  const [fallback] = formats
  if (fallback === undefined) throw new Error('the route has no format')
  if (accept === null || accept.trim() === '') return fallback
  const wanted = parseAccept(accept)
  const quality = (format: string) => {
    const [main] = format.split('/')
    const match = [format, `${main}/*`, '*/*']
      .map((type) => wanted.find((one) => one.type.toLowerCase() === type))
      .find((one) => one !== undefined)
    return match?.q ?? 0
  }
  const best = formats.toSorted((a, b) => quality(b) - quality(a))[0] ?? fallback
  if (quality(best) > 0) return best
  throw new Problem('not-acceptable', `Available: ${formats.join(', ')}.`, { param: 'Accept' })
}
