/** Reads requests and sends the responses of mocked APIs. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type FormField,
  MOCK_LIMITS,
  type MockApi,
  type MockRequest,
  type MockResponse,
  refuse,
  unknownPath,
} from '@octavo/openapi'
import type { SeenRequest } from './recent-requests.ts'

type Mocked = {
  readonly apis: readonly MockApi[]
  /** The path and the query, without what only the server knows. */
  readonly target: string
  readonly now: () => number
}

/** Answers a request with the first API that has its operation, and returns what was done. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { apis, target, now }: Mocked,
): Promise<SeenRequest> {
  const started = now()
  const message = await readRequest(request, target)
  const answer = message === undefined ? TOO_LARGE : respond(apis, message)
  const { operation, status, problems } = answer
  sendResponse(response, answer)
  return {
    method: request.method ?? 'GET',
    url: target.slice(0, URL_SHOWN_MAX),
    status,
    ...(operation && { operation: `${operation.method} ${operation.path}` }),
    problems,
    ms: now() - started,
  }
}

function respond(apis: readonly MockApi[], message: MockRequest): MockResponse {
  for (const needsMethod of [true, false]) {
    for (const api of apis) {
      const response = api.answer(message, needsMethod)
      if (response !== undefined) return response
    }
  }
  const path = pathOf(message.target)
  const [nearest] = apis.flatMap((api) => api.nearest(path) ?? [])
  return unknownPath(path, nearest)
}

/** Returns the path of a target without its query. */
export function pathOf(target: string): string {
  return target.replace(/\?.*$/s, '')
}

const URL_SHOWN_MAX = 2_000

const TOO_LARGE = refuse(413, 'The body is too large.', {
  operation: undefined,
  problems: [
    {
      code: 'malformed-body',
      place: 'body',
      reason: `The body has more than ${MOCK_LIMITS.bodyBytesMax / 1024 / 1024} MB.`,
      hint: 'Send a smaller body.',
    },
  ],
})

/** Returns a request as data; undefined if its body is too large. */
export async function readRequest(
  request: IncomingMessage,
  target: string,
): Promise<MockRequest | undefined> {
  const body = await readBody(request)
  return body && messageOf(request, { target, body })
}

/** Returns the body; undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // The rest is read and dropped, so that the client gets the response.
    if (size <= MOCK_LIMITS.bodyBytesMax) chunks.push(chunk)
    else chunks.length = 0
  }
  return size > MOCK_LIMITS.bodyBytesMax ? undefined : Buffer.concat(chunks)
}

async function messageOf(
  request: IncomingMessage,
  { target, body }: Pick<MockRequest, 'target' | 'body'>,
): Promise<MockRequest> {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const type = headers.get('content-type') ?? ''
  const form = /^multipart\/form-data/i.test(type) ? await readForm(body, type) : undefined
  return { method: request.method ?? 'GET', target, headers, body, form }
}

/** Returns the fields of a form; undefined if it is malformed. */
async function readForm(body: Uint8Array, type: string): Promise<readonly FormField[] | undefined> {
  try {
    const parsed = await new Response(Buffer.from(body), {
      headers: { 'content-type': type },
    }).formData()
    return [...parsed].map(([name, value]) => [name, typeof value === 'string' ? value : undefined])
  } catch {
    // The response says that the form is malformed.
    return undefined
  }
}

export function sendResponse(
  response: ServerResponse,
  { status, headers, body }: MockResponse,
): void {
  for (const [name, value] of headers) response.appendHeader(name, value)
  if (response.hasHeader('access-control-allow-origin')) {
    const names = response.getHeaderNames().filter((name) => !name.startsWith('access-control-'))
    response.setHeader('access-control-expose-headers', names.join(', '))
  }
  // An author's HTML must not run scripts on an address of this machine.
  response.setHeader('content-security-policy', 'sandbox')
  response.setHeader('x-content-type-options', 'nosniff')
  response.statusCode = status
  const hasNoBody = status === 204 || status === 304
  for (const part of hasNoBody ? [] : body) response.write(part)
  response.end()
}
