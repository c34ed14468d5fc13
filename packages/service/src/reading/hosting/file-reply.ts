/**
 * Determines how a file of a site is sent. Its headers come from this program, never from a
 * deployment.
 */
import { HASHED_PATHS, INERT_POLICY, type ManifestEntry, mediaType } from '@octavo/model'
import type { Encoding } from '../../platform/http/reader-request.ts'
import {
  ALLOW_ORIGIN,
  ALWAYS,
  PREVIEW_HEADERS,
  type PreparedResponse,
} from '../../platform/http/send-response.ts'
import { type Counted, countedFile } from './counted-file.ts'
import type { SiteView } from './find-file.ts'
import { type BlobKey, blobKey, isAsset, type SentFile } from './sent-file.ts'

export type ServedFile = {
  readonly view: SiteView
  readonly entry: ManifestEntry
  /** Headers besides `Accept-Encoding` that the file was selected by. */
  readonly vary: readonly string[]
  readonly status: 200 | 404
}

/** A response without its bytes, which are in the cache: prepared once, sent many times. */
export type FileReply = PreparedResponse & {
  /** The cache key of its bytes. */
  readonly key: BlobKey
  /** The event counted when it is sent; undefined for most files. */
  readonly counted: Counted | undefined
}

const HASHED = new RegExp(
  `^(?:${HASHED_PATHS.map((path) => path.slice(1).replace('*', '')).join('|')})`,
)
const COMPRESSED = /^(?:text\/|application\/(?:json|xml|yaml|wasm)|image\/svg)/
const COMPRESS_BYTES_MIN = 1_024
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Hashed copies of authors' stylesheets and scripts, next to the original files. */
const HASHED_COPY = /-([\da-f]{12})\.(?:css|js)$/

/** Checks whether the name of a file may contain a hash of its bytes. */
export const mayBeHashed = (path: string) => HASHED.test(path) || HASHED_COPY.test(path)

/** Checks the hash against the bytes, because authors may give a file any name. */
export function isHashed({ path, sha256 }: ManifestEntry): boolean {
  const hash = HASHED_COPY.exec(path)?.[1]
  return HASHED.test(path) || (hash !== undefined && sha256.startsWith(hash))
}

/** Matches files that open pages of earlier deployments need: scripts, styles and icons. */
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

/**
 * Modules and fonts, which a sandboxed page without an origin loads cross-origin. They contain no
 * content.
 */
const LOADED_FROM_SANDBOX = /^_octavo\/(?:scripts|styles)\//

/** Estimates the tokens that models count: four bytes each, in any language. */
const tokensOf = (size: number) => Math.ceil(size / BYTES_PER_TOKEN)
const BYTES_PER_TOKEN = 4

/**
 * Restricted files are revalidated each time, so that none is shown from a cache after sign-out.
 */
function cacheControlOf(served: ServedFile): string {
  if (served.status === 404) return 'no-store'
  if (!isForAll(served)) return 'private, no-cache'
  return isHashed(served.entry) ? FOR_EVER : 'no-cache'
}

/** Checks whether all readers get the same bytes, so that a shared cache may serve them. */
function isForAll({ view, entry: { access, ranges = [] } }: ServedFile): boolean {
  if (!view.isProtected) return ranges.every((range) => view.isReadable(range.access))
  return access === 'public' && ranges.every((range) => range.access === 'public')
}

/** `accepted` is the encoding that the client accepts. */
export function encodingFor(
  { entry, size }: SentFile,
  accepted: Encoding | undefined,
): Encoding | undefined {
  const isCompressed = COMPRESSED.test(mediaType(entry.path)) && size >= COMPRESS_BYTES_MIN
  return isCompressed ? accepted : undefined
}

/**
 * `sha256` is the digest of the bytes sent, before compression. The digest of the whole file would
 * show readers when hidden parts change, and let them verify guesses of these parts.
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
