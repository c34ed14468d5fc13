/**
 * Every endpoint is one call to `defineRoute`, so authentication, scope, binding to the project,
 * parsing, limits and problem replies are written once and cannot be forgotten.
 */
import type { z } from 'zod'
import type { Caller, Scope } from '../api-keys/caller.ts'
import { asProblem, Problem } from './problem.ts'

type Method = 'GET' | 'POST' | 'DELETE'

/** What the frame gives to every request. */
export type Frame = {
  readonly authenticate: (request: Request, clientAddress: string | undefined) => Promise<Caller>
  readonly countRequest: (caller: Caller) => Readonly<Record<string, string>>
}

type RequestContext = {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly clientAddress: string | undefined
}

export type Route = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly scope: Scope
  readonly query: z.ZodObject
  readonly body: z.ZodType | undefined
  readonly reply: z.ZodType | undefined
  readonly formats: readonly string[]
  readonly run: (frame: Frame, context: RequestContext) => Promise<Response>
}

export type RouteSpec<Query extends z.ZodObject, Body extends z.ZodType> = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description: string
  /** The scope a key needs. */
  readonly scope: Scope
  readonly query: Query
  readonly body?: Body
  /** Shape of the JSON reply, for the document and for those that build it in code. */
  readonly reply?: z.ZodType
  /** Media types, the first is the default. */
  readonly formats: readonly string[]
  /** Receives values that are authenticated, bound to the project and parsed. */
  readonly handle: (input: {
    readonly caller: Caller
    readonly params: Readonly<Record<string, string>>
    readonly query: z.output<Query>
    readonly body: z.output<Body>
    readonly format: string
    readonly request: Request
  }) => Promise<Response>
}

export const BODY_BYTES_MAX = 8 * 1024 * 1024

export function defineRoute<Query extends z.ZodObject, Body extends z.ZodType>(
  spec: RouteSpec<Query, Body>,
): Route {
  const { method, path, summary, description, scope, query, body, reply, formats } = spec
  return {
    method,
    path,
    summary,
    description,
    scope,
    query,
    body,
    reply,
    formats,
    async run(frame, { request, params, clientAddress }) {
      const caller = await frame.authenticate(request, clientAddress)
      // A key of another project gets the same answer as a project that does not exist: the
      // difference would tell a stranger which projects we host.
      if (caller.projectPublicId !== params.projectId) throw noSuchProject()
      if (!caller.scopes.includes(scope)) {
        throw new Problem('forbidden', `This key has no scope \`${scope}\`.`)
      }
      const limits = frame.countRequest(caller)
      try {
        const response = await spec.handle({
          format: chooseFormat(request.headers.get('accept'), formats),
          query: parseQuery(query, new URL(request.url).search),
          body: (body === undefined ? undefined : await parseBody(body, request)) as z.output<Body>,
          caller,
          params,
          request,
        })
        for (const [name, value] of Object.entries(limits)) response.headers.set(name, value)
        return response
      } catch (error) {
        // A request that was refused has used up a turn all the same, and says so.
        throw asProblem(error).with(limits)
      }
    },
  }
}

function noSuchProject(): Problem {
  return new Problem('not-found', 'There is no such project.')
}

/** Each parameter once, by its exact name; what is not known is refused with the list of what is. */
function parseQuery<Query extends z.ZodObject>(schema: Query, search: string): z.output<Query> {
  const known = Object.keys(schema.shape)
  const values = new Map<string, string>()
  for (const [name, value] of readPairs(search)) {
    if (!known.includes(name)) {
      const list = known.length === 0 ? 'none' : known.join(', ')
      throw new Problem('invalid-request', `There is no such parameter. Known: ${list}.`, {
        param: clip(name),
      })
    }
    if (values.has(name)) {
      throw new Problem('invalid-request', `\`${name}\` is given more than once.`, { param: name })
    }
    values.set(name, value)
  }
  const parsed = schema.safeParse(Object.fromEntries(values))
  if (parsed.success) return parsed.data
  throw fromIssue(parsed.error)
}

/** Strict: a percent sign that escapes no valid UTF-8 is an error, not a replacement character. */
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

async function parseBody(schema: z.ZodType, request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(type.trim())) {
    throw new Problem(
      'invalid-request',
      'The body must be JSON: send `Content-Type: application/json`.',
      {
        param: 'Content-Type',
      },
    )
  }
  const bytes = await request.arrayBuffer().catch((cause: unknown) => {
    // The client has gone. Its broken connection must not pass for one to the database.
    throw new Problem('invalid-request', 'The body did not arrive.', { param: 'body', cause })
  })
  if (bytes.byteLength > BODY_BYTES_MAX) throw bodyTooLarge()
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Problem('invalid-request', 'The body is not valid JSON in UTF-8.', { param: 'body' })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw fromIssue(parsed.error)
}

export function bodyTooLarge(): Problem {
  return new Problem('too-large', `A body may have ${BODY_BYTES_MAX} bytes.`)
}

function fromIssue(error: z.ZodError): Problem {
  const [issue] = error.issues
  const param = issue === undefined ? '' : issue.path.map(String).join('.')
  const detail = issue?.message ?? 'The request is not valid.'
  return new Problem('invalid-request', detail, param === '' ? {} : { param: clip(param) })
}

const SHOWN_MAX = 100

/** What a stranger sent is shown short. */
function clip(text: string): string {
  const shown = text.toWellFormed().replaceAll(/\p{C}/gu, '\ufffd')
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}…` : shown
}

/** The format that the client likes best among those there are. */
function chooseFormat(accept: string | null, formats: readonly string[]): string {
  const [fallback] = formats
  if (fallback === undefined) throw new Error('a route without a format')
  if (accept === null || accept.trim() === '') return fallback
  const wanted = accept.split(',').map((part) => {
    const [type = '', ...rules] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const quality = rules.find((rule) => rule.startsWith('q='))?.slice(2)
    return { type, quality: quality === undefined ? 1 : Number(quality) }
  })
  const quality = (format: string) => {
    const [main] = format.split('/')
    const match = [format, `${main}/*`, '*/*']
      .map((type) => wanted.find((one) => one.type === type))
      .find((one) => one !== undefined)
    return match === undefined || Number.isNaN(match.quality) ? 0 : match.quality
  }
  const best = formats.toSorted((a, b) => quality(b) - quality(a))[0] ?? fallback
  if (quality(best) > 0) return best
  throw new Problem('not-acceptable', `Available: ${formats.join(', ')}.`, { param: 'Accept' })
}
