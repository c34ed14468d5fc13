/** How a file of a site is sent. Its headers come from this program, never from a deployment. */
import { HASHED_PATHS, INERT_POLICY, type ManifestEntry, mediaType } from '@octavo/model'
import { type Counted, countedFile } from '../events/counted-file.ts'
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

/** A reply without its bytes, which are in the cache: made once, sent many times. */
export type FileReply = {
  readonly status: 200 | 404
  /** Of its bytes in the cache, before they are compressed. */
  readonly key: string
  readonly encoding: Encoding | undefined
  readonly etag: string
  /** Names and values in turns, the form that Node needs no copy of. */
  readonly headers: readonly string[]
  readonly headersOf304: readonly string[]
  /** What is counted when it is sent; nothing for most files. */
  readonly counted?: Counted | undefined
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

export function headersOf(given: GivenFile): Record<string, string> {
  const { view, entry, vary } = given
  const type = mediaType(entry.path)
  const headers: Record<string, string> = {
    ...ALWAYS,
    'content-type': type,
    'content-security-policy': /^(?:image\/svg|application\/xml)/.test(type)
      ? INERT_POLICY
      : view.policy,
    'cache-control': cacheControlOf(given),
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

/** What only some may see is asked for each time: nobody sees it from a cache after signing out. */
function cacheControlOf(given: GivenFile): string {
  if (given.status === 404) return 'no-store'
  if (!isForAll(given)) return 'private, no-cache'
  return isHashed(given.entry) ? FOR_EVER : 'no-cache'
}

/** Whether everybody who asks for it gets the same bytes, so that a cache may give them to others. */
function isForAll({ view, entry: { access, ranges = [] } }: GivenFile): boolean {
  if (!view.isProtected) return ranges.every((range) => view.isReadable(range.access))
  return access === 'public' && ranges.every((range) => range.access === 'public')
}

/** `accepted` is the encoding that the reader takes. */
export function prepareReply(given: GivenFile, accepted: Encoding | undefined): FileReply {
  const { view, entry, status } = given
  const isPart = (entry.ranges ?? []).some(({ access }) => !view.isReadable(access))
  const key = isPart ? `${entry.sha256}-${view.name}` : entry.sha256
  const isCompressed = COMPRESSED.test(mediaType(entry.path)) && entry.size >= COMPRESS_BYTES_MIN
  const encoding = isCompressed ? accepted : undefined
  const etag = encoding === undefined ? `"${key}"` : `"${key}-${encoding}"`
  const headers = Object.entries(headersOf(given)).flat()
  if (status === 200) headers.push('etag', etag)
  return {
    status,
    key,
    encoding,
    etag,
    headers: encoding === undefined ? headers : [...headers, 'content-encoding', encoding],
    headersOf304: headers,
    counted: status === 200 ? countedFile(view, entry.path) : undefined,
  }
}
