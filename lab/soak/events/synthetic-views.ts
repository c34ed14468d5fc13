/** Generates views from a seed, so that counts can be compared with a plain recount. */
import type { IncomingMessage } from 'node:http'

export const PAGES = 40
const VISITORS = 2_000
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
  'Claude-User (claude-code/2.1)',
  'Mozilla/5.0 (compatible; Googlebot/2.1)',
]
export const AUDIENCES = ['people', 'agents', 'bots']

export type View = {
  readonly project: number
  readonly page: number
  readonly audience: number
  readonly visitor: number
}

/** A few projects and pages have most of the views, as with real sites. */
export function* syntheticViews(
  seed: number,
  projects: { readonly first: number; readonly count: number },
): Generator<View> {
  let state = seed
  // Mulberry32: small, and good enough here.
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  for (;;)
    yield {
      project: projects.first + Math.floor(random() ** 3 * projects.count),
      page: Math.floor(random() ** 2 * PAGES),
      audience: Math.floor(random() ** 2 * AUDIENCES.length),
      visitor: Math.floor(random() * VISITORS),
    }
}

/** Returns the parts of a request that are read. */
export function requestOf({ audience, visitor }: View): IncomingMessage {
  const headers = {
    host: 'docs.example.com',
    accept: audience === 1 ? 'text/markdown' : 'text/html',
    'user-agent': AGENTS[audience],
    'x-forwarded-for': `10.${visitor >> 8}.${visitor & 255}.1`,
  }
  const request: Pick<IncomingMessage, 'method' | 'url' | 'headers'> = {
    method: 'GET',
    url: '/',
    headers,
  }
  return Object.assign(request, { socket: { remoteAddress: '127.0.0.1' } }) as IncomingMessage
}
