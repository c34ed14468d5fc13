/** Reads and checks request bodies from pages of sites. */
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { Problem } from '../problem.ts'

/**
 * Throws a problem for requests from pages of other sites. Programs are allowed, because they send
 * no origin.
 */
export function checkSameOrigin({ method, headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site']
  const isSame =
    site === undefined
      ? headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host
      : site === 'same-origin' || (site === 'none' && method === 'GET')
  if (!isSame) throw new Problem('forbidden', 'Only pages of this site can send this request.')
  // Requires a content type that another origin can send only after a preflight request.
  if (method === 'POST' && !/^application\/json(?:;|$)/.test(headers['content-type'] ?? ''))
    throw new Problem('invalid-request', 'Expected `Content-Type: application/json`.')
}

/** Removes zero bytes and unpaired surrogates, which PostgreSQL cannot store. */
export const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

/**
 * Reads the whole body. It needs no limit, because the server has already rejected bodies that are
 * too large.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}

export function parseBody<Shape extends z.ZodType>(shape: Shape, body: Buffer): z.infer<Shape> {
  const parsed = shape.safeParse(parseJson(body))
  if (parsed.success) return parsed.data
  const param = parsed.error.issues[0]?.path.map(String).join('.') ?? ''
  throw new Problem('invalid-request', 'The request body is not valid.', { param })
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new Problem('invalid-request', 'The request body is not valid JSON.', { param: 'body' })
  }
}
