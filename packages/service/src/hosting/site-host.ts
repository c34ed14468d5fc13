/**
 * Answers readers of hosted sites: host → project → live deployment → run of its manifest → blob.
 * It does not use the frame of the API: this is the hot path, and a reader sends nothing to parse.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HOST_SCRIPT_PATH, leaveOut, type ManifestEntry } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import { ASSISTANT_PATH, type Assistant } from '../assistant/assistant.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { hasMcpServer, MCP_PATH, type SiteMcp } from '../mcp/site-mcp.ts'
import { type BlobCache, HELD_BYTES_MAX } from './blob-cache.ts'
import {
  type FileReply,
  type GivenFile,
  headersOf,
  isHashed,
  mayBeHashed,
  preparePartialReply,
  prepareReply,
} from './file-reply.ts'
import { findFile, type SiteView, viewOf } from './find-file.ts'
import { createHostScriptGiver } from './host-script.ts'
import { type PlaygroundProxy, PROXY_PATH, serversOf } from './playground-proxy.ts'
import { createPreviewTools } from './preview-tools.ts'
import { comesFromSameSite, preferredLanguage } from './reader-language.ts'
import {
  asksForText,
  decodePath,
  encodingOf,
  type HostRoute,
  isNotModified,
  rangeOf,
  routeOf,
  splitQuery,
  wantsPage,
} from './reader-request.ts'
import {
  PREVIEW_HEADERS,
  redirect,
  refuseMethod,
  sendFile,
  sendJson,
  sendMoved,
  sendText,
} from './send-reply.ts'
import { isPreview } from './site-address.ts'
import type { SiteDirectory, SiteNotice, SitePointer } from './site-directory.ts'

export type SiteHost = {
  readonly answer: (request: IncomingMessage, response: ServerResponse, slug: string) => void
}

export type SiteHostDeps = {
  readonly directory: SiteDirectory
  readonly blobs: BlobStore
  readonly cache: BlobCache
  readonly proxy: PlaygroundProxy
  readonly assistant: Assistant
  readonly mcp: SiteMcp
  /** The origin of a site, as browsers know it. */
  readonly originOf: (slug: string) => string
  readonly onError: (error: unknown) => void
  readonly onAnswer: (answer: {
    readonly route: HostRoute
    readonly method: string
    readonly status: number
    readonly ms: number
  }) => void
  /** Called for each response of a site, with the bytes that were sent. */
  readonly onSent: (projectId: string, bytes: number) => void
}

/** What decides on the language of the first page. */
const START_VARY = ['Accept-Language', 'Sec-Fetch-Site']
const VIEWS_MAX = 20_000
/** Prepared replies of all sites together take at most this, without the bytes that they send. */
const REPLIES_BYTES_MAX = 32 * 1024 * 1024
const REPLY_BYTES = 1_000

export function createSiteHost(deps: SiteHostDeps): SiteHost {
  const { directory, blobs, cache, proxy, assistant } = deps
  const views = new LRUCache<string, SiteView>({ max: VIEWS_MAX })
  const replies = new LRUCache<string, FileReply>({
    maxSize: REPLIES_BYTES_MAX,
    sizeCalculation: (_, key) => REPLY_BYTES + key.length,
  })

  const previewTools = createPreviewTools({ directory, cache, viewAt })
  const hostScripts = createHostScriptGiver()

  async function viewAt(slug: string, pointer: SitePointer): Promise<SiteView> {
    const { deploymentId, root, isProtected, preview } = pointer
    const key = `${slug} ${deploymentId} ${root} ${isProtected} ${preview?.runsScripts}`
    const known = views.get(key)
    if (known !== undefined) return known
    const origin = preview?.runsScripts === false ? deps.originOf(slug) : undefined
    const view = viewOf(await cache.root(root), pointer, origin)
    views.set(key, view)
    return view
  }

  /**
   * Answers what was asked before and is in memory, without waiting for anything. What the reply
   * depends on is in its key.
   */
  function giveFromMemory(
    request: IncomingMessage,
    response: ServerResponse,
    slug: string,
  ): boolean {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const pointer = directory.peek(slug)
    const reply = pointer && replies.get(replyKey(request, slug, pointer))
    if (reply === undefined) return false
    const bytes = cache.peek(reply.sha256, reply.encoding)
    return sendFile(request, response, { reply, bytes })
  }

  async function give(
    request: IncomingMessage,
    response: ServerResponse,
    slug: string,
  ): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const isForProxy = method === 'POST' && url.endsWith(PROXY_PATH)
    const isForOthers = isForProxy || url.includes(MCP_PATH) || url.includes(ASSISTANT_PATH)
    if (method !== 'GET' && method !== 'HEAD' && !isForOthers) return refuseMethod(response)
    const pointer = await directory.find(slug)
    if (pointer === undefined) {
      giveNotice(response, url, directory.noticeOf(slug))
      return
    }
    const view = await viewAt(slug, pointer)
    const [pathname = '/', search] = splitQuery(url)
    const { basePath } = view
    if (isForProxy) {
      const servers = pathname === basePath + PROXY_PATH ? serversOf(pointer, view) : []
      await proxy.answer(request, response, { pointer, servers })
      return
    }
    if (pathname.startsWith(basePath + ASSISTANT_PATH)) {
      const path = pathname.slice(basePath.length + ASSISTANT_PATH.length)
      const isPanel =
        (method === 'GET' || method === 'HEAD') &&
        (await hostScripts.givePanel(request, response, path))
      if (isPanel) return
      await assistant.answer(request, response, { slug, pointer, view, path })
      return
    }
    if (pathname === basePath + MCP_PATH)
      return deps.mcp.answer(request, response, { slug, pointer, view })
    if (method !== 'GET' && method !== 'HEAD') return refuseMethod(response)
    if (isPreview(slug) && pathname === '/robots.txt')
      return sendText(response, 200, 'User-agent: *\nDisallow: /')
    // Also at the root: whoever deployed does not know the base path that the site was built for.
    if (pathname === `${basePath}/_octavo/version.json` || pathname === '/_octavo/version.json') {
      const proxy = serversOf(pointer, view).length > 0 || undefined
      const isShown = (await assistant.isShown({ pointer, view })) || undefined
      sendJson(response, { deployment: pointer.deploymentId, proxy, assistant: isShown })
      return
    }
    if (pathname === `${basePath}/${HOST_SCRIPT_PATH}`) {
      await hostScripts.giveScript(request, response, {
        isPreview: pointer.preview !== undefined,
        hasAssistant: await assistant.isShown({ pointer, view }),
        hasMcp: hasMcpServer({ pointer, view }),
        languages: view.root.languages,
      })
      return
    }
    const isHandled =
      pointer.preview !== undefined &&
      (await previewTools.answer(request, response, { pointer, view, pathname }))
    if (isHandled) return
    if (basePath !== '' && (pathname === basePath || pathname === '/')) {
      redirect(response, view, { status: 302, url: `${basePath}/${search}` })
      return
    }
    const path = pathname.startsWith(`${basePath}/`)
      ? decodePath(pathname.slice(basePath.length + 1))
      : undefined
    await givePath(request, response, { slug, pointer, view, path })
  }

  /** Nothing is live at this name: it never was, it is archived, or it has another name. */
  function giveNotice(response: ServerResponse, url: string, notice: SiteNotice | undefined): void {
    if (notice === undefined) sendText(response, 404, 'There is no site at this address.')
    else if (notice.kind === 'archived')
      sendText(response, 410, 'This site is archived.', { 'x-robots-tag': 'noindex' })
    else sendMoved(response, deps.originOf(notice.slug) + (url.startsWith('/') ? url : '/'))
  }

  type Asked = {
    readonly slug: string
    readonly pointer: SitePointer
    readonly view: SiteView
    readonly path: string | undefined
  }

  async function givePath(
    request: IncomingMessage,
    response: ServerResponse,
    asked: Asked,
  ): Promise<void> {
    const { slug, pointer, view, path } = asked
    const isStart = path === '' && view.languageStarts.length > 1
    const start = isStart ? startInLanguage(request, view) : undefined
    if (start !== undefined) {
      redirect(response, view, { status: 302, url: start, vary: START_VARY.join(', ') })
      return
    }
    const found = path === undefined ? undefined : await findFile(cache, view, path)
    if (found?.kind === 'redirect') {
      redirect(response, view, found)
      return
    }
    if (found !== undefined) {
      const text =
        asksForText(request) && found.entry.path.endsWith('.html')
          ? await markdownOf(view, found.entry)
          : undefined
      const reply = await giveFile(request, response, {
        view,
        entry: text ?? found.entry,
        vary: [
          ...(found.entry.path.endsWith('.html') ? ['Accept'] : []),
          ...(isStart ? START_VARY : []),
        ],
        status: 200,
      })
      // The language of the reader is not in the key.
      if (reply !== undefined && !isStart) replies.set(replyKey(request, slug, pointer), reply)
      return
    }
    if (path !== undefined && mayBeHashed(path)) {
      const entry = await findElsewhere(asked, path)
      if (entry !== undefined) {
        await giveFile(request, response, { view, entry, vary: [], status: 200 })
        return
      }
    }
    const missing = await findFile(cache, view, '404.html')
    if (missing?.kind !== 'file' || !wantsPage(request))
      sendText(response, 404, 'There is nothing at this address.')
    else
      await giveFile(request, response, {
        view,
        entry: missing.entry,
        vary: ['Accept'],
        status: 404,
      })
  }

  /**
   * A file that the live deployment does not have, and a page that a reader has does name: of a newer
   * one that another host knows already, or of one that was live before.
   */
  async function findElsewhere({ slug }: Asked, path: string): Promise<ManifestEntry | undefined> {
    const pointer = await directory.refresh(slug)
    if (pointer === undefined) return undefined
    for (const root of [pointer.root, ...pointer.earlier]) {
      const found = await findFile(cache, await viewAt(slug, { ...pointer, root }), path)
      if (found?.kind === 'file' && isHashed(found.entry)) return found.entry
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

  /** Gives the reply, if it can be sent to others too. */
  async function giveFile(
    request: IncomingMessage,
    response: ServerResponse,
    given: GivenFile,
  ): Promise<FileReply | undefined> {
    const { view, entry } = given
    const ranges = entry.ranges ?? []
    if (ranges.some(({ access }) => !view.isReadable(access))) {
      const reply = preparePartialReply(given)
      const bytes = leaveOut(await cache.bytes(entry.sha256), ranges, view.isReadable)
      sendFile(request, response, { reply, bytes })
      return undefined
    }
    if (entry.size > HELD_BYTES_MAX) {
      await stream(request, response, given)
      return undefined
    }
    const reply = prepareReply(given, encodingOf(request))
    if (sendFile(request, response, { reply, bytes: undefined })) return reply
    const bytes =
      reply.encoding === undefined
        ? await cache.bytes(reply.sha256)
        : await cache.encoded(reply.sha256, reply.encoding)
    sendFile(request, response, { reply, bytes })
    return reply
  }

  /** Large files, such as videos, are not kept in memory, and can be had in parts. */
  async function stream(
    request: IncomingMessage,
    response: ServerResponse,
    given: GivenFile,
  ): Promise<void> {
    const { entry, status } = given
    const etag = `"${entry.sha256}"`
    const headers: Record<string, string | number> = {
      ...headersOf(given),
      etag,
      'accept-ranges': 'bytes',
    }
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
      const { socket } = request
      const written = socket.bytesWritten
      const count = () => {
        const { projectId } = directory.peek(slug) ?? {}
        if (projectId !== undefined) deps.onSent(projectId, socket.bytesWritten - written)
        deps.onAnswer({
          route: routeOf(request),
          method: request.method ?? '',
          status: response.statusCode,
          ms: performance.now() - started,
        })
      }
      if (isPreview(slug)) response.setHeaders(new Map(Object.entries(PREVIEW_HEADERS)))
      if (giveFromMemory(request, response, slug)) {
        count()
        return
      }
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
        .finally(count)
    },
  }
}

/** Where the reader's language begins, unless that is at the start of the site. */
function startInLanguage(request: IncomingMessage, view: SiteView): string | undefined {
  const { languageStarts, basePath } = view
  if (asksForText(request) || comesFromSameSite(request)) return undefined
  const languages = new Set(languageStarts.map(({ language }) => language))
  const preferred = preferredLanguage(request.headers['accept-language'], languages)
  const start = languageStarts.find(({ language }) => language === preferred)
  if (start === undefined || start.url === '/') return undefined
  const [, search] = splitQuery(request.url ?? '/')
  return encodeURI(basePath + start.url) + search
}

/** Everything that decides which file is sent at a path, and how. */
function replyKey(request: IncomingMessage, slug: string, pointer: SitePointer): string {
  const [path] = splitQuery(request.url ?? '/')
  const form = asksForText(request) ? 'text' : 'page'
  const { deploymentId, isProtected, preview } = pointer
  return `${slug} ${deploymentId} ${isProtected} ${preview?.runsScripts} ${form} ${encodingOf(request)} ${path}`
}
