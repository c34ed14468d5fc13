/**
 * Generates views from a seed, so that the counts of the service can be compared with a second
 * count of the same views.
 */
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

/** Generates views. As on real sites, most of them are on a few projects and pages. */
export function* syntheticViews(
  seed: number,
  projects: { readonly first: number; readonly count: number },
): Generator<View> {
  let state = seed
  // This is Mulberry32, a small random generator that is good enough here.
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

/** Returns a request with only the parts that the recorder reads. */
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
