/**
 * Answers readers of hosted sites: host → project → live deployment → run of its manifest → blob.
 * It does not use the frame of the API: this is the hot path, and a reader sends nothing to parse.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  contentPolicy,
  HASHED_PATHS,
  INERT_POLICY,
  leaveOut,
  type ManifestEntry,
  mediaType,
} from '@octavo/model'
import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../blobs/blob-store.ts'
import { createBlobCache, HELD_BYTES_MAX } from './blob-cache.ts'
import { findFile, type SiteView, viewOf } from './find-file.ts'
import { type PlaygroundProxy, PROXY_PATH, serversOf } from './playground-proxy.ts'
import {
  asksForText,
  decodePath,
  encodingOf,
  isNotModified,
  rangeOf,
  splitQuery,
  wantsPage,
} from './reader-request.ts'
import { ALWAYS, send, sendJson, sendText } from './send-reply.ts'
import type { SiteDirectory, SitePointer } from './site-directory.ts'

export type SiteHost = {
  readonly answer: (request: IncomingMessage, response: ServerResponse, slug: string) => void
}

export type SiteHostDeps = {
  readonly directory: SiteDirectory
  readonly blobs: BlobStore
  readonly proxy: PlaygroundProxy
  readonly cacheBytes: number
  readonly onError: (error: unknown) => void
  readonly onAnswer: (answer: {
    readonly method: string
    readonly status: number
    readonly ms: number
  }) => void
}

const VIEWS_MAX = 20_000
const HASHED = new RegExp(
  `^(?:${HASHED_PATHS.map((path) => path.slice(1).replace('*', '')).join('|')})`,
)
const COMPRESSED = /^(?:text\/|application\/(?:json|xml|yaml|wasm)|image\/svg)/
const COMPRESS_BYTES_MIN = 1_024
const FOR_EVER = 'public, max-age=31536000, immutable'

export function createSiteHost(deps: SiteHostDeps): SiteHost {
  const { directory, blobs, proxy } = deps
  const cache = createBlobCache(blobs, deps.cacheBytes)
  const views = new LRUCache<string, SiteView>({ max: VIEWS_MAX })
  const policies = new WeakMap<SiteView, string>()

  async function viewAt(pointer: SitePointer): Promise<SiteView> {
    const key = `${pointer.root} ${pointer.isProtected}`
    const known = views.get(key)
    if (known !== undefined) return known
    const view = viewOf(await cache.root(pointer.root), pointer.isProtected)
    views.set(key, view)
    return view
  }

  function policyOf(view: SiteView): string {
    const known = policies.get(view)
    if (known !== undefined) return known
    // A page names the hashes of its own scripts, and both policies count: here they are all let be.
    const policy = `${contentPolicy({ origins: view.root.origins, scriptHashes: [] }).replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")}; frame-ancestors 'self'`
    policies.set(view, policy)
    return policy
  }

  async function give(
    request: IncomingMessage,
    response: ServerResponse,
    slug: string,
  ): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const isForProxy = method === 'POST' && url.endsWith(PROXY_PATH)
    if (method !== 'GET' && method !== 'HEAD' && !isForProxy) {
      sendText(response, 405, 'Only GET and HEAD are allowed here.', { allow: 'GET, HEAD' })
      return
    }
    const pointer = await directory.find(slug)
    if (pointer === undefined) {
      sendText(response, 404, 'There is no site at this address.')
      return
    }
    const view = await viewAt(pointer)
    const [pathname = '/', search] = splitQuery(url)
    const { basePath } = view
    if (isForProxy) {
      const servers = pathname === basePath + PROXY_PATH ? serversOf(pointer, view) : []
      await proxy.answer(request, response, { pointer, servers })
      return
    }
    if (pathname === `${basePath}/_octavo/version.json`) {
      const hasProxy = serversOf(pointer, view).length > 0
      sendJson(response, { deployment: pointer.deploymentId, ...(hasProxy && { proxy: true }) })
      return
    }
    if (basePath !== '' && (pathname === basePath || pathname === '/')) {
      response.writeHead(302, { ...ALWAYS, location: `${basePath}/${search}` }).end()
      return
    }
    const path = pathname.startsWith(`${basePath}/`)
      ? decodePath(pathname.slice(basePath.length + 1))
      : undefined
    await givePath(request, response, { slug, view, path })
  }

  type Asked = {
    readonly slug: string
    readonly view: SiteView
    readonly path: string | undefined
  }

  async function givePath(
    request: IncomingMessage,
    response: ServerResponse,
    asked: Asked,
  ): Promise<void> {
    const { view, path } = asked
    const found = path === undefined ? undefined : await findFile(cache, view, path)
    if (found?.kind === 'redirect') {
      response
        .writeHead(found.status, { ...ALWAYS, location: found.url, 'cache-control': 'no-cache' })
        .end()
      return
    }
    if (found !== undefined) {
      const text =
        asksForText(request) && found.entry.path.endsWith('.html')
          ? await markdownOf(view, found.entry)
          : undefined
      await giveFile(request, response, {
        view,
        entry: text ?? found.entry,
        varies: text !== undefined,
      })
      return
    }
    if (path !== undefined && HASHED.test(path)) {
      const entry = await findElsewhere(asked, path)
      if (entry !== undefined) {
        await giveFile(request, response, { view, entry, varies: false })
        return
      }
    }
    const missing = await findFile(cache, view, '404.html')
    if (missing?.kind !== 'file' || !wantsPage(request))
      sendText(response, 404, 'There is nothing at this address.')
    else
      await giveFile(request, response, { view, entry: missing.entry, varies: false, status: 404 })
  }

  /**
   * A file that the live deployment does not have, and a page that a reader has does name: of a newer
   * one that another host knows already, or of one that was live before.
   */
  async function findElsewhere({ slug }: Asked, path: string): Promise<ManifestEntry | undefined> {
    const pointer = await directory.refresh(slug)
    if (pointer === undefined) return undefined
    for (const root of [pointer.root, ...pointer.earlier]) {
      const found = await findFile(cache, await viewAt({ ...pointer, root }), path)
      if (found?.kind === 'file') return found.entry
    }
    return undefined
  }

  async function markdownOf(
    view: SiteView,
    { path }: ManifestEntry,
  ): Promise<ManifestEntry | undefined> {
    const name = path === 'index.html' ? 'index.md' : path.replace(/\/index\.html$/, '.md')
    const found = await findFile(cache, view, name)
    return found?.kind === 'file' && found.entry.path === name ? found.entry : undefined
  }

  type Given = {
    readonly view: SiteView
    readonly entry: ManifestEntry
    readonly varies: boolean
    readonly status?: number
  }

  async function giveFile(
    request: IncomingMessage,
    response: ServerResponse,
    given: Given,
  ): Promise<void> {
    const { view, entry, varies, status = 200 } = given
    const type = mediaType(entry.path)
    const isHashed = HASHED.test(entry.path)
    const headers: Record<string, string | number> = {
      ...ALWAYS,
      'content-type': type,
      'content-security-policy': /^(?:image\/svg|application\/xml)/.test(type)
        ? INERT_POLICY
        : policyOf(view),
      'cache-control': status === 404 ? 'no-store' : isHashed ? FOR_EVER : 'no-cache',
    }
    if (entry.path.endsWith('.md')) headers['x-robots-tag'] = 'noindex'
    const vary = [
      ...(varies || entry.path.endsWith('.html') ? ['Accept'] : []),
      ...(COMPRESSED.test(type) ? ['Accept-Encoding'] : []),
    ]
    if (vary.length > 0) headers.vary = vary.join(', ')

    const hidden = (entry.ranges ?? []).some(({ access }) => !view.isReadable(access))
    if (hidden) {
      const bytes = leaveOut(await cache.bytes(entry.sha256), entry.ranges ?? [], view.isReadable)
      headers['cache-control'] = 'private, no-cache'
      send(request, response, { status, headers, etag: `"${entry.sha256}-${view.name}"`, bytes })
      return
    }
    if (entry.size > HELD_BYTES_MAX) {
      await stream(request, response, { entry, status, headers })
      return
    }
    const encoding =
      COMPRESSED.test(type) && entry.size >= COMPRESS_BYTES_MIN ? encodingOf(request) : undefined
    const etag = encoding === undefined ? `"${entry.sha256}"` : `"${entry.sha256}-${encoding}"`
    if (isNotModified(request, etag)) {
      response.writeHead(304, { ...headers, etag }).end()
      return
    }
    const bytes =
      encoding === undefined
        ? await cache.bytes(entry.sha256)
        : await cache.encoded(entry.sha256, encoding)
    if (encoding !== undefined) headers['content-encoding'] = encoding
    send(request, response, { status, headers, etag, bytes })
  }

  /** Large files, such as videos, are not kept in memory, and can be had in parts. */
  async function stream(
    request: IncomingMessage,
    response: ServerResponse,
    {
      entry,
      status,
      headers,
    }: {
      readonly entry: ManifestEntry
      readonly status: number
      readonly headers: Record<string, string | number>
    },
  ): Promise<void> {
    const etag = `"${entry.sha256}"`
    Object.assign(headers, { etag, 'accept-ranges': 'bytes' })
    if (isNotModified(request, etag)) {
      response.writeHead(304, headers).end()
      return
    }
    const range = status === 200 ? rangeOf(request, entry.size, etag) : undefined
    if (range === 'unsatisfiable') {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${entry.size}` }).end()
      return
    }
    const { start, end } = range ?? { start: 0, end: entry.size }
    if (range !== undefined) headers['content-range'] = `bytes ${start}-${end - 1}/${entry.size}`
    headers['content-length'] = end - start
    if (request.method === 'HEAD') {
      response.writeHead(range === undefined ? status : 206, headers).end()
      return
    }
    const found = await blobs.get(entry.sha256, range && { start, end })
    if (found === undefined) throw new Error(`The blob ${entry.sha256} is missing.`)
    response.writeHead(range === undefined ? status : 206, headers)
    await pipeline(Readable.fromWeb(found.body), response)
  }

  return {
    answer(request, response, slug) {
      const started = performance.now()
      give(request, response, slug)
        .catch((error: unknown) => {
          if (response.headersSent) {
            // The reader went away, or the store did in the middle of a file.
            response.destroy()
            return
          }
          deps.onError(error)
          sendText(response, 503, 'The site cannot be shown right now. Please try again.', {
            'retry-after': '5',
          })
        })
        .finally(() => {
          const ms = performance.now() - started
          deps.onAnswer({ method: request.method ?? '', status: response.statusCode, ms })
        })
    },
  }
}
