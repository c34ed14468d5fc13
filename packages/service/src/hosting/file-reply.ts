/** How a file of a site is sent. Its headers come from this program, never from a deployment. */
import { HASHED_PATHS, INERT_POLICY, type ManifestEntry, mediaType } from '@octavo/model'
import type { Encoding } from './blob-cache.ts'
import type { SiteView } from './find-file.ts'
import { ALWAYS, PREVIEW_HEADERS } from './send-reply.ts'

export type GivenFile = {
  readonly view: SiteView
  readonly entry: ManifestEntry
  /** Other headers than `Accept-Encoding` that it was chosen by. */
  readonly vary: readonly string[]
  readonly status: 200 | 404
}

/** A reply without its bytes, which are known by their digest: made once, sent many times. */
export type FileReply = {
  readonly status: 200 | 404
  readonly sha256: string
  readonly encoding: Encoding | undefined
  readonly etag: string
  /** Names and values in turns, the form that Node needs no copy of. */
  readonly headers: readonly string[]
  readonly headersOf304: readonly string[]
}

const HASHED = new RegExp(
  `^(?:${HASHED_PATHS.map((path) => path.slice(1).replace('*', '')).join('|')})`,
)
const COMPRESSED = /^(?:text\/|application\/(?:json|xml|yaml|wasm)|image\/svg)/
const COMPRESS_BYTES_MIN = 1_024
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Copies of authors' stylesheets and scripts, beside the files themselves. */
const HASHED_COPY = /-([\da-f]{12})\.(?:css|js)$/

/** Whether the name of a file may have a hash of its bytes in it. */
export const mayBeHashed = (path: string) => HASHED.test(path) || HASHED_COPY.test(path)

/** Authors may give a file any name, so the bytes have to agree with it. */
export function isHashed({ path, sha256 }: ManifestEntry): boolean {
  const hash = HASHED_COPY.exec(path)?.[1]
  return HASHED.test(path) || (hash !== undefined && sha256.startsWith(hash))
}

export function headersOf({ view, entry, vary, status }: GivenFile): Record<string, string> {
  const type = mediaType(entry.path)
  const headers: Record<string, string> = {
    ...ALWAYS,
    'content-type': type,
    'content-security-policy': /^(?:image\/svg|application\/xml)/.test(type)
      ? INERT_POLICY
      : view.policy,
    'cache-control': status === 404 ? 'no-store' : isHashed(entry) ? FOR_EVER : 'no-cache',
    'cache-tag': view.cacheTag,
  }
  if (/\.(?:html|md)$/.test(entry.path)) headers.link = view.links
  if (entry.path.endsWith('.md')) headers['x-markdown-tokens'] = String(tokensOf(entry))
  if (view.isPreview) Object.assign(headers, PREVIEW_HEADERS)
  else {
    headers['referrer-policy'] = 'strict-origin-when-cross-origin'
    if (entry.path.endsWith('.md')) headers['x-robots-tag'] = 'noindex'
  }
  const names = COMPRESSED.test(type) ? [...vary, 'Accept-Encoding'] : vary
  if (names.length > 0) headers.vary = names.join(', ')
  return headers
}

/** About as many as models count: four bytes each, whatever the language. */
const tokensOf = ({ size }: ManifestEntry) => Math.ceil(size / BYTES_PER_TOKEN)
const BYTES_PER_TOKEN = 4

/** `accepted` is the encoding that the reader takes. */
export function prepareReply(given: GivenFile, accepted: Encoding | undefined): FileReply {
  const { entry, status } = given
  const isCompressed = COMPRESSED.test(mediaType(entry.path)) && entry.size >= COMPRESS_BYTES_MIN
  const encoding = isCompressed ? accepted : undefined
  const etag = encoding === undefined ? `"${entry.sha256}"` : `"${entry.sha256}-${encoding}"`
  const headers = Object.entries(headersOf(given)).flat()
  if (status === 200) headers.push('etag', etag)
  return {
    status,
    sha256: entry.sha256,
    encoding,
    etag,
    headers: encoding === undefined ? headers : [...headers, 'content-encoding', encoding],
    headersOf304: headers,
  }
}

/** For a reader who may not see all of a file. */
export function preparePartialReply(given: GivenFile): FileReply {
  const { view, entry, status } = given
  const etag = `"${entry.sha256}-${view.name}"`
  const headers = Object.entries({
    ...headersOf(given),
    'cache-control': 'private, no-cache',
    ...(status === 200 && { etag }),
  }).flat()
  return { status, sha256: entry.sha256, encoding: undefined, etag, headers, headersOf304: headers }
}
