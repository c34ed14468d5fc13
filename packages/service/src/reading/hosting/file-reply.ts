/** Determines status and headers for a file of a site. A deployment cannot set headers itself. */
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
  /** Headers other than `Accept-Encoding` that determined which file is sent. */
  readonly vary: readonly string[]
  readonly status: 200 | 404
}

/**
 * A response without its body, whose bytes are cached separately. It is prepared once and sent many
 * times.
 */
export type FileReply = PreparedResponse & {
  /** The cache key of the file's bytes. */
  readonly key: BlobKey
  /** The event to count when the file is sent; undefined for most files. */
  readonly counted: Counted | undefined
}

const HASHED = new RegExp(
  `^(?:${HASHED_PATHS.map((path) => path.slice(1).replace('*', '')).join('|')})`,
)
const COMPRESSED = /^(?:text\/|application\/(?:json|xml|yaml|wasm)|image\/svg)/
const COMPRESS_BYTES_MIN = 1_024
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Matches hashed copies of authors' stylesheets and scripts, which are next to the originals. */
const HASHED_COPY = /-([\da-f]{12})\.(?:css|js)$/

/** Checks whether the name of a file may contain a hash of its content. */
export const mayBeHashed = (path: string) => HASHED.test(path) || HASHED_COPY.test(path)

/**
 * Checks whether the name of a file contains a hash of its content. The hash is compared with the
 * content, because authors may choose any name.
 */
export function isHashed({ path, sha256 }: ManifestEntry): boolean {
  const hash = HASHED_COPY.exec(path)?.[1]
  return HASHED.test(path) || (hash !== undefined && sha256.startsWith(hash))
}

/**
 * Checks whether a file may be needed by pages of earlier deployments that are still open: scripts,
 * styles and icons.
 */
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
 * Matches modules and fonts. A sandboxed page has no origin, so it loads them cross-origin, which
 * is safe because they contain no content of the site.
 */
const LOADED_FROM_SANDBOX = /^_octavo\/(?:scripts|styles)\//

/** Estimates the number of tokens for a model, at four bytes per token in any language. */
const tokensOf = (size: number) => Math.ceil(size / BYTES_PER_TOKEN)
const BYTES_PER_TOKEN = 4

/**
 * Returns the caching rules for a file. Restricted files are revalidated for each request, so that
 * they are not shown from a cache after the reader signs out.
 */
function cacheControlOf(served: ServedFile): string {
  if (served.status === 404) return 'no-store'
  if (!isForAll(served)) return 'private, no-cache'
  return isHashed(served.entry) ? IMMUTABLE : 'no-cache'
}

/** Checks whether all readers get the same bytes, in which case a shared cache may store them. */
function isForAll({ view, entry: { access, ranges = [] } }: ServedFile): boolean {
  if (!view.isProtected) return ranges.every((range) => view.isReadable(range.access))
  return access === 'public' && ranges.every((range) => range.access === 'public')
}

/** Returns the encoding to use, which is either none or the one that the client accepts. */
export function encodingFor(
  { entry, size }: SentFile,
  accepted: Encoding | undefined,
): Encoding | undefined {
  const isCompressed = COMPRESSED.test(mediaType(entry.path)) && size >= COMPRESS_BYTES_MIN
  return isCompressed ? accepted : undefined
}

/**
 * Prepares the response for a file. `sha256` is the digest of the bytes that are sent, before
 * compression. The digest of the whole file would reveal to readers when hidden parts change, and
 * let them verify guesses of these parts.
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
