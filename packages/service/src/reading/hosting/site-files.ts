/**
 * Serves the files of sites: pages as HTML or Markdown and in the reader's language, and all other
 * files as they are.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ManifestEntry } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import {
  decodePath,
  encodingOf,
  splitQuery,
  wantsPage,
  wantsText,
} from '../../platform/http/reader-request.ts'
import { redirect, sendFile, sendText, sendUncached } from '../../platform/http/send-response.ts'
import type { Readers } from '../access/find-reader.ts'
import { requestSignIn } from '../access/reader-pages.ts'
import type { EventRecorder } from '../analytics/event-recorder.ts'
import { missingPage } from './counted-file.ts'
import { type FileReply, mayBeHashed } from './file-reply.ts'
import { FileServer, type FileServerDeps } from './file-server.ts'
import { createFallbackFinder, type FallbackFinder } from './find-elsewhere.ts'
import { findFile, type SiteView } from './find-file.ts'
import { missingMarkdown } from './missing-markdown.ts'
import { comesFromSameSite, preferredLanguage } from './reader-language.ts'
import type { SiteDirectory } from './site-directory.ts'
import type { SiteExchange } from './site-router.ts'
import type { SiteViews } from './site-views.ts'

export type SiteFilesDeps = FileServerDeps & {
  readonly directory: SiteDirectory
  readonly views: SiteViews
  readonly readers: Readers
  readonly recorder: EventRecorder
}

/** The headers that determine the language of the start page. */
const START_VARY = ['Accept-Language', 'Sec-Fetch-Site']
/** The memory limit for the prepared responses of all sites. Their bodies are cached separately. */
const REPLIES_BYTES_MAX = 32 * 1024 * 1024
const REPLY_BYTES = 1_000

export class SiteFiles {
  readonly #deps: SiteFilesDeps
  readonly #files: FileServer
  readonly #findElsewhere: FallbackFinder
  readonly #replies = new LRUCache<string, FileReply>({
    maxSize: REPLIES_BYTES_MAX,
    sizeCalculation: (_, key) => REPLY_BYTES + key.length,
  })

  constructor(deps: SiteFilesDeps) {
    this.#deps = deps
    this.#files = new FileServer(deps)
    this.#findElsewhere = createFallbackFinder(deps)
  }

  /**
   * Sends a cached response without waiting; returns false if no response is cached. The key contains
   * everything that determines the response.
   */
  serveFromCache(request: IncomingMessage, response: ServerResponse, slug: string): boolean {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const { directory, readers, cache, recorder } = this.#deps
    const pointer = directory.peek(slug)
    const reader = pointer && readers.peek(request, pointer)
    const reply = reader && this.#replies.get(replyKey({ request, slug, pointer, reader }))
    if (reply === undefined) return false
    const bytes = cache.peek(reply.key)
    const isSent = sendFile(request, response, { reply, bytes })
    if (isSent && pointer !== undefined) recorder.read(pointer.projectId, reply.counted, request)
    return isSent
  }

  async serve(exchange: SiteExchange): Promise<void> {
    const { request, response, view, pathname, search } = exchange
    const { basePath } = view
    if (basePath !== '' && (pathname === basePath || pathname === '/')) {
      redirect(response, view, { status: 302, url: `${basePath}/${search}` })
      return
    }
    // Well-known URIs are at the root of the host (RFC 8615), even if the site has a base path.
    const before = pathname.startsWith('/.well-known/') ? '' : basePath
    const path = pathname.startsWith(`${before}/`)
      ? decodePath(pathname.slice(before.length + 1))
      : undefined
    const isStart = path === '' && view.languageStarts.length > 1
    const start = isStart ? localizedStartUrl(request, view) : undefined
    if (start !== undefined) {
      redirect(response, view, { status: 302, url: start, vary: START_VARY.join(', ') })
      return
    }
    const found = path === undefined ? undefined : await findFile(this.#deps.cache, view, path)
    if (found?.kind === 'redirect') redirect(response, view, found)
    else if (found !== undefined) await this.#serveFound(exchange, found.entry, isStart)
    else if (!(await this.#serveFromElsewhere(exchange, path)))
      await this.#serveNothing(exchange, path)
  }

  async #serveFound(exchange: SiteExchange, entry: ManifestEntry, isStart: boolean): Promise<void> {
    const { request, response, view, pointer } = exchange
    const isPage = entry.path.endsWith('.html')
    const text = isPage && wantsText(request) ? await this.#markdownOf(view, entry) : undefined
    const { counted, reply } = await this.#files.serve(request, response, {
      view,
      entry: text ?? entry,
      vary: [...(isPage ? ['Accept'] : []), ...(isStart ? START_VARY : [])],
      status: 200,
    })
    this.#deps.recorder.read(pointer.projectId, counted, request)
    // The start page is not cached, because the key does not contain the reader's language.
    if (reply !== undefined && !isStart) this.#replies.set(replyKey(exchange), reply)
  }

  async #markdownOf(view: SiteView, { path }: ManifestEntry): Promise<ManifestEntry | undefined> {
    const name = path === 'index.html' ? 'index.md' : path.replace(/\/index\.html$/, '.md')
    const found = await findFile(this.#deps.cache, view, name)
    return found?.kind === 'file' && found.entry.path === name ? found.entry : undefined
  }

  /** Serves a file from a newer or earlier deployment. Returns false if it was not found. */
  async #serveFromElsewhere(exchange: SiteExchange, path: string | undefined): Promise<boolean> {
    if (path === undefined || !mayBeHashed(path)) return false
    const other = await this.#findElsewhere(exchange, path)
    if (other === undefined) return false
    const { request, response } = exchange
    await this.#files.serve(request, response, { ...other, vary: [], status: 200 })
    return true
  }

  /**
   * Responds to a request for a missing file. The response is the same for files that the reader
   * may not see.
   */
  async #serveNothing(exchange: SiteExchange, path: string | undefined): Promise<void> {
    const { request, response, pointer, reader, view } = exchange
    if (reader.kind === 'undetermined') {
      sendText(response, 503, 'Access cannot be checked at the moment. Please try again.', {
        'retry-after': '2',
      })
      return
    }
    const missing = await findFile(this.#deps.cache, view, '404.html')
    // If the site has no public 404 page, all of its pages are private. Every site has a start
    // page, so asking readers to sign in there does not reveal anything.
    const isClosed = (missing === undefined || path === '') && !view.reader.hasSiteAccess
    if (
      view.isProtected &&
      (isClosed || reader.isRefused === true) &&
      reader.kind === 'anonymous'
    ) {
      requestSignIn(exchange)
      return
    }
    this.#deps.recorder.read(pointer.projectId, missingPage(view, path), request)
    if (path !== undefined && (path.endsWith('.md') || wantsText(request))) {
      const body = await missingMarkdown(this.#deps.cache, view, path)
      sendUncached(response, 404, { type: 'text/markdown', body }, { vary: 'Accept' })
    } else if (missing?.kind !== 'file' || !wantsPage(request))
      sendText(response, 404, 'This page does not exist.')
    else
      await this.#files.serve(request, response, {
        view,
        entry: missing.entry,
        vary: ['Accept'],
        status: 404,
      })
  }
}

/**
 * Returns the URL of the start page in the reader's language; undefined if it is the requested
 * page.
 */
function localizedStartUrl(request: IncomingMessage, view: SiteView): string | undefined {
  const { languageStarts, basePath } = view
  if (wantsText(request) || comesFromSameSite(request)) return undefined
  const languages = new Set(languageStarts.map(({ language }) => language))
  const preferred = preferredLanguage(request.headers['accept-language'], languages)
  const start = languageStarts.find(({ language }) => language === preferred)
  if (start === undefined || start.url === '/') return undefined
  const [, search] = splitQuery(request.url ?? '/')
  return encodeURI(basePath + start.url) + search
}

/**
 * Returns the key of a response, which contains everything that determines the file and its form.
 * Only names of groups may contain spaces. The path cannot contain spaces and is last, so keys are
 * unambiguous.
 */
function replyKey({
  request,
  slug,
  pointer,
  reader,
}: Pick<SiteExchange, 'request' | 'slug' | 'pointer' | 'reader'>): string {
  const [path] = splitQuery(request.url ?? '/')
  const form = wantsText(request) ? 'text' : 'page'
  const { projectId, deploymentId, protection, preview } = pointer
  return `${slug} ${projectId} ${deploymentId} ${protection} ${preview?.runsScripts} ${form} ${encodingOf(request)} ${reader.key} ${path}`
}
