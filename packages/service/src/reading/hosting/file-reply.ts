/** How a file of a site is sent. Its headers come from this program, never from a deployment. */
import { HASHED_PATHS, INERT_POLICY, type ManifestEntry, mediaType } from '@octavo/model'
import type { Encoding } from '../../platform/http/reader-request.ts'
import {
  ALLOW_ORIGIN,
  ALWAYS,
  PREVIEW_HEADERS,
  type PreparedReply,
} from '../../platform/http/send-reply.ts'
import { type Counted, countedFile } from './counted-file.ts'
import type { SiteView } from './find-file.ts'
import { type BlobKey, blobKey, isAsset, type SentFile } from './sent-file.ts'

export type ServedFile = {
  readonly view: SiteView
  readonly entry: ManifestEntry
  /** Other headers than `Accept-Encoding` that it was chosen by. */
  readonly vary: readonly string[]
  readonly status: 200 | 404
}

/** A reply without its bytes, which are in the cache: made once, sent many times. */
export type FileReply = PreparedReply & {
  /** Of its bytes in the cache. */
  readonly key: BlobKey
  /** What is counted when it is sent; nothing for most files. */
  readonly counted: Counted | undefined
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

/** What pages of earlier deployments need to look and work as they did: scripts, styles and icons. */
export const isKept = (path: string) => isAsset(path) || HASHED_COPY.test(path)

export function headersOf(served: ServedFile, { size }: SentFile): Record<string, string> {
  const { view, entry, vary } = served
  const type = mediaType(entry.path)
  const headers: Record<string, string> = {
    ...ALWAYS,
    'content-type': type,
    'content-security-policy': /^(?:image\/svg|application\/xml)/.test(type)
      ? INERT_POLICY
      : view.policy,
    'cache-control': cacheControlOf(served),
    'cache-tag': view.cacheTag,
  }
  if (/\.(?:html|md)$/.test(entry.path)) headers.link = view.links
  if (entry.path.endsWith('.md')) headers['x-markdown-tokens'] = String(tokensOf(size))
  if (view.isSandboxed && LOADED_FROM_SANDBOX.test(entry.path)) headers[ALLOW_ORIGIN] = '*'
  if (view.isPreview) Object.assign(headers, PREVIEW_HEADERS)
  else {
    headers['referrer-policy'] = 'strict-origin-when-cross-origin'
    if (entry.path.endsWith('.md')) headers['x-robots-tag'] = 'noindex'
  }
  const names = COMPRESSED.test(type) ? [...vary, 'Accept-Encoding'] : vary
  if (names.length > 0) headers.vary = names.join(', ')
  return headers
}

/** Modules and fonts, which a page without an origin loads as another site does. They hold no content. */
const LOADED_FROM_SANDBOX = /^_octavo\/(?:scripts|styles)\//

/** About as many as models count: four bytes each, whatever the language. */
const tokensOf = (size: number) => Math.ceil(size / BYTES_PER_TOKEN)
const BYTES_PER_TOKEN = 4

/** What only some may see is asked for each time: nobody sees it from a cache after signing out. */
function cacheControlOf(served: ServedFile): string {
  if (served.status === 404) return 'no-store'
  if (!isForAll(served)) return 'private, no-cache'
  return isHashed(served.entry) ? FOR_EVER : 'no-cache'
}

/** Whether everybody who asks for it gets the same bytes, so that a cache may give them to others. */
function isForAll({ view, entry: { access, ranges = [] } }: ServedFile): boolean {
  if (!view.isProtected) return ranges.every((range) => view.isReadable(range.access))
  return access === 'public' && ranges.every((range) => range.access === 'public')
}

/** `accepted` is the encoding that the reader takes. */
export function encodingFor(
  { entry, size }: SentFile,
  accepted: Encoding | undefined,
): Encoding | undefined {
  const isCompressed = COMPRESSED.test(mediaType(entry.path)) && size >= COMPRESS_BYTES_MIN
  return isCompressed ? accepted : undefined
}

/**
 * `sha256` is of what is sent, before it is compressed. That of the whole file would tell readers when
 * hidden parts change, and let them test guesses of what these say.
 */
export function prepareReply(
  served: ServedFile,
  file: SentFile,
  { encoding, sha256 }: { readonly encoding: Encoding | undefined; readonly sha256: string },
): FileReply {
  const { view, entry, status } = served
  const etag = encoding === undefined ? `"${sha256}"` : `"${sha256}-${encoding}"`
  const headers = Object.entries(headersOf(served, file)).flat()
  if (status === 200) headers.push('etag', etag)
  return {
    status,
    key: blobKey(file, encoding),
    etag,
    headers: encoding === undefined ? headers : [...headers, 'content-encoding', encoding],
    headersOf304: headers,
    counted: status === 200 ? countedFile(view, entry.path) : undefined,
  }
}
