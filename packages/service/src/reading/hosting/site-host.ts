/**
 * Answers readers of hosted sites: host → project → live deployment → run of its manifest → blob.
 * It does not use the frame of the API: this is the hot path, and a reader sends nothing to parse.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { EVENTS_PATH, HOST_SCRIPT_PATH, type ManifestEntry, type Reader } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import type { Assistant } from '../../answers/assistant/assistant.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import {
  asksForText,
  decodePath,
  encodingOf,
  splitQuery,
  wantsPage,
} from '../../platform/http/reader-request.ts'
import {
  ALLOW_ORIGIN,
  PREVIEW_HEADERS,
  redirect,
  refuseMethod,
  SANDBOX,
  sendFile,
  sendJson,
  sendMoved,
  sendText,
} from '../../platform/http/send-reply.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { isPreview } from '../../publishing/domains/site-address.ts'
import type { Readers, SiteReader } from '../access/find-reader.ts'
import { isReaderPath } from '../access/reader-exchange.ts'
import type { ReaderPages } from '../access/reader-pages.ts'
import type { EventRecorder } from '../analytics/event-recorder.ts'
import { isEventsPath, type SiteEvents } from '../analytics/site-events.ts'
import type { SiteMcp } from '../mcp/site-mcp.ts'
import { ASSISTANT_PATH, type HostRoute, MCP_PATH, routeOf } from '../site-paths.ts'
import type { BlobCache } from './blob-cache.ts'
import { isCountedSite, missingPage } from './counted-file.ts'
import { type FileReply, mayBeHashed } from './file-reply.ts'
import { createFindElsewhere } from './find-elsewhere.ts'
import { classOf, findFile, hasIndex, type SiteView, viewOf } from './find-file.ts'
import { createFileGiver } from './give-file.ts'
import { createHostScriptGiver } from './host-script.ts'
import { type PlaygroundProxy, PROXY_PATH, serversOf } from './playground-proxy.ts'
import { createPreviewTools } from './preview-tools.ts'
import { comesFromSameSite, preferredLanguage } from './reader-language.ts'
import type { SiteDirectory, SiteNotice, SitePointer } from './site-directory.ts'

export type SiteHost = {
  readonly answer: (request: IncomingMessage, response: ServerResponse, slug: string) => void
}

export type SiteHostDeps = {
  readonly directory: SiteDirectory
  readonly blobs: BlobStore
  readonly cache: BlobCache
  readonly pepper: PepperRing
  readonly proxy: PlaygroundProxy
  readonly assistant: Assistant
  readonly readers: Readers
  readonly readerPages: ReaderPages
  readonly mcp: SiteMcp
  readonly recorder: EventRecorder
  readonly events: SiteEvents
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
  const { directory, cache, proxy, assistant, readers, readerPages } = deps
  const views = new LRUCache<string, SiteView>({ max: VIEWS_MAX })
  const replies = new LRUCache<string, FileReply>({
    maxSize: REPLIES_BYTES_MAX,
    sizeCalculation: (_, key) => REPLY_BYTES + key.length,
  })

  const files = createFileGiver(deps)
  const findElsewhere = createFindElsewhere({ directory, cache, viewAt })
  const previewTools = createPreviewTools({ directory, cache, viewAt })
  const hostScripts = createHostScriptGiver()

  async function viewAt(slug: string, pointer: SitePointer, reader: Reader): Promise<SiteView> {
    const { projectId, deploymentId, root: digest, protection, preview } = pointer
    const root = await cache.root(digest)
    const readerClass = classOf(root, reader)
    const key = `${slug} ${projectId} ${deploymentId} ${digest} ${protection} ${preview?.runsScripts} ${readerClass.name}`
    const known = views.get(key)
    if (known !== undefined) return known
    const origin = preview?.runsScripts === false ? deps.originOf(slug) : undefined
    const view = viewOf(root, pointer, { ...readerClass, origin })
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
    const reader = pointer && readers.peek(request, pointer)
    const reply = reader && replies.get(replyKey(request, { slug, pointer, reader }))
    if (reply === undefined) return false
    const bytes = cache.peek(reply.key)
    const isSent = sendFile(request, response, { reply, bytes })
    if (isSent && pointer !== undefined)
      deps.recorder.read(pointer.projectId, reply.counted, request)
    return isSent
  }

  async function give(
    request: IncomingMessage,
    response: ServerResponse,
    slug: string,
  ): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const isForProxy = method === 'POST' && url.endsWith(PROXY_PATH)
    const [pathname = '/', search] = splitQuery(url)
    const isForOthers =
      isForProxy ||
      url.endsWith(EVENTS_PATH) ||
      url.includes(MCP_PATH) ||
      url.includes(ASSISTANT_PATH) ||
      isReaderPath(pathname)
    if (method !== 'GET' && method !== 'HEAD' && !isForOthers) return refuseMethod(response)
    const pointer = await directory.find(slug)
    if (pointer === undefined) {
      giveNotice(response, url, directory.noticeOf(slug))
      return
    }
    const reader = await readers.find(request, pointer)
    const view = await viewAt(slug, pointer, reader)
    const { basePath, isSandboxed } = view
    if (isSandboxed) response.setHeader('content-security-policy', SANDBOX)
    const { isLetIn } = view.reader
    const isOfReaders =
      view.isProtected &&
      (await readerPages.answer(request, response, { pointer, basePath, pathname, reader }))
    if (isOfReaders) return
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
    if (isEventsPath(pathname, view))
      return deps.events.answer(request, response, { pointer, view })
    if (pathname === basePath + MCP_PATH)
      return deps.mcp.answer(request, response, { slug, pointer, view, asker: reader })
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
      if (isSandboxed) response.setHeader(ALLOW_ORIGIN, '*')
      await hostScripts.giveScript(request, response, {
        isPreview: pointer.preview !== undefined && (isLetIn || isSandboxed),
        hasAssistant: await assistant.isShown({ pointer, view }),
        hasMcp: hasIndex(view),
        hasEvents: isCountedSite(view),
        languages: view.root.languages,
        isSignedIn: view.isProtected && !isSandboxed ? isLetIn : undefined,
      })
      return
    }
    const isHandled =
      pointer.preview !== undefined &&
      isLetIn &&
      (await previewTools.answer(request, response, { pointer, view, pathname }))
    if (isHandled) return
    if (basePath !== '' && (pathname === basePath || pathname === '/')) {
      redirect(response, view, { status: 302, url: `${basePath}/${search}` })
      return
    }
    // Programs look for known addresses at the root of a host (RFC 8615), and the host is the site's.
    const start = pathname.startsWith('/.well-known/') ? '' : basePath
    const path = pathname.startsWith(`${start}/`)
      ? decodePath(pathname.slice(start.length + 1))
      : undefined
    await givePath(request, response, { slug, pointer, reader, view, path })
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
    readonly reader: SiteReader
    readonly view: SiteView
    readonly path: string | undefined
  }

  async function givePath(
    request: IncomingMessage,
    response: ServerResponse,
    asked: Asked,
  ): Promise<void> {
    const { view, path } = asked
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
      const reply = await files.give(request, response, {
        view,
        entry: text ?? found.entry,
        vary: [
          ...(found.entry.path.endsWith('.html') ? ['Accept'] : []),
          ...(isStart ? START_VARY : []),
        ],
        status: 200,
      })
      deps.recorder.read(asked.pointer.projectId, reply?.counted, request)
      // The language of the reader is not in the key.
      if (reply !== undefined && !isStart) replies.set(replyKey(request, asked), reply)
      return
    }
    if (path !== undefined && mayBeHashed(path)) {
      const other = await findElsewhere(asked, path)
      if (other !== undefined) {
        await files.give(request, response, { ...other, vary: [], status: 200 })
        return
      }
    }
    await giveNothing(request, response, asked)
  }

  /** The same for what is not there and for what the reader may not see. */
  async function giveNothing(
    request: IncomingMessage,
    response: ServerResponse,
    { pointer, reader, view, path }: Asked,
  ): Promise<void> {
    if (reader.kind === 'unknown') {
      sendText(response, 503, 'It cannot be told right now who may read this. Please try again.', {
        'retry-after': '2',
      })
      return
    }
    const missing = await findFile(cache, view, '404.html')
    // Without a page for it, nothing of the site is public. That there is a start page is no secret.
    const isClosed = (missing === undefined || path === '') && !view.reader.isLetIn
    if (view.isProtected && (isClosed || reader.isRefused === true) && reader.kind === 'stranger') {
      readerPages.askToSignIn(request, response, { pointer, basePath: view.basePath, reader })
      return
    }
    deps.recorder.read(pointer.projectId, missingPage(view, path), request)
    if (missing?.kind !== 'file' || !wantsPage(request))
      sendText(response, 404, 'There is nothing at this address.')
    else
      await files.give(request, response, {
        view,
        entry: missing.entry,
        vary: ['Accept'],
        status: 404,
      })
  }

  async function markdownOf(
    view: SiteView,
    { path }: ManifestEntry,
  ): Promise<ManifestEntry | undefined> {
    const name = path === 'index.html' ? 'index.md' : path.replace(/\/index\.html$/, '.md')
    const found = await findFile(cache, view, name)
    return found?.kind === 'file' && found.entry.path === name ? found.entry : undefined
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
function replyKey(
  request: IncomingMessage,
  asked: { readonly slug: string; readonly pointer: SitePointer; readonly reader: SiteReader },
): string {
  const [path] = splitQuery(request.url ?? '/')
  const form = asksForText(request) ? 'text' : 'page'
  const { slug, pointer, reader } = asked
  const { projectId, deploymentId, protection, preview } = pointer
  return `${slug} ${projectId} ${deploymentId} ${protection} ${preview?.runsScripts} ${form} ${encodingOf(request)} ${reader.key} ${path}`
}
