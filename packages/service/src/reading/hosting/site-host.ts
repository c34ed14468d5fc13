/**
 * Serves hosted sites: it finds the project of a host, its live deployment, the run of the manifest
 * and the blob. It does not use the API framework, because performance matters most here and there
 * is no input to parse.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { splitQuery } from '../../platform/http/reader-request.ts'
import {
  PREVIEW_HEADERS,
  refuseMethod,
  SANDBOX,
  sendMoved,
  sendText,
} from '../../platform/http/send-response.ts'
import { isPreview } from '../../publishing/domains/site-address.ts'
import { SiteFiles, type SiteFilesDeps } from './site-files.ts'
import { type SiteExchange, type SiteMetric, SiteRouter } from './site-router.ts'
import { type SiteRouteDeps, siteRoutes } from './site-routes.ts'
import { type SiteViewDeps, SiteViews } from './site-views.ts'

export type SiteHostDeps = Omit<SiteFilesDeps & SiteRouteDeps & SiteViewDeps, 'views'> & {
  readonly onError: (error: unknown) => void
  readonly onAnswer: (answer: {
    readonly route: SiteMetric
    readonly method: string
    readonly status: number
    readonly ms: number
  }) => void
  /** Called for each response with the number of bytes sent. */
  readonly onSent: (projectId: string, bytes: number) => void
}

type Arrival = {
  readonly slug: string
  readonly started: number
  /** The number of bytes that had been sent on the connection before the request. */
  readonly written: number
}

export class SiteHost {
  readonly #deps: SiteHostDeps
  readonly #views: SiteViews
  readonly #files: SiteFiles
  readonly #router: SiteRouter

  constructor(deps: SiteHostDeps) {
    this.#deps = deps
    this.#views = new SiteViews(deps)
    this.#files = new SiteFiles({ ...deps, views: this.#views })
    this.#router = new SiteRouter(siteRoutes({ ...deps, views: this.#views }))
  }

  /** Returns the maximum size of a request body for this path, on any site. */
  bodyBytesMaxOf(path: string): number {
    return this.#router.bodyBytesMaxOf(path)
  }

  answer(request: IncomingMessage, response: ServerResponse, slug: string): void {
    const arrival = { slug, started: performance.now(), written: request.socket.bytesWritten }
    if (isPreview(slug)) response.setHeaders(new Map(Object.entries(PREVIEW_HEADERS)))
    if (this.#files.serveFromCache(request, response, slug)) {
      this.#count(response, arrival, 'site')
      return
    }
    let route: SiteMetric = 'site'
    this.#open(request, response, slug)
      .then((exchange) => {
        if (exchange === undefined) return undefined
        const found = this.#router.find(exchange)
        if (found === undefined) return this.#serveFile(exchange)
        route = found.metric
        return found.handle(exchange)
      })
      .catch((error: unknown) => this.#fail(response, error))
      .finally(() => this.#count(response, arrival, route))
  }

  #count({ req, statusCode }: ServerResponse, arrival: Arrival, route: SiteMetric): void {
    const { directory, onSent, onAnswer } = this.#deps
    const { projectId } = directory.peek(arrival.slug) ?? {}
    if (projectId !== undefined) onSent(projectId, req.socket.bytesWritten - arrival.written)
    const ms = performance.now() - arrival.started
    onAnswer({ route, method: req.method ?? '', status: statusCode, ms })
  }

  /**
   * Looks up the site and the reader. Returns undefined if it already responded, because there is
   * no site or the method is not allowed.
   */
  async #open(
    request: IncomingMessage,
    response: ServerResponse,
    slug: string,
  ): Promise<SiteExchange | undefined> {
    const { method = 'GET', url = '/' } = request
    const [pathname, search] = splitQuery(url)
    if (!isRead(request) && !this.#router.mayAcceptMethod(method, pathname)) {
      refuseMethod(response)
      return undefined
    }
    const { directory, readers } = this.#deps
    const pointer = await directory.find(slug)
    if (pointer === undefined) {
      this.#sendNotice(response, url, slug)
      return undefined
    }
    const reader = await readers.find(request, pointer)
    const view = await this.#views.at(slug, pointer, reader)
    if (view.isSandboxed) response.setHeader('content-security-policy', SANDBOX)
    return { request, response, slug, pointer, reader, view, pathname, search }
  }

  async #serveFile(exchange: SiteExchange): Promise<void> {
    if (isRead(exchange.request)) await this.#files.serve(exchange)
    else refuseMethod(exchange.response)
  }

  /** Responds to a request for a name without a live site: unknown, archived or renamed. */
  #sendNotice(response: ServerResponse, url: string, slug: string): void {
    const notice = this.#deps.directory.noticeOf(slug)
    if (notice === undefined) sendText(response, 404, 'There is no site at this address.')
    else if (notice.kind === 'archived')
      sendText(response, 410, 'This site is archived.', { 'x-robots-tag': 'noindex' })
    else sendMoved(response, this.#deps.originOf(notice.slug) + (url.startsWith('/') ? url : '/'))
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      // The reader closed the connection, or the store failed while the file was sent.
      response.destroy()
      return
    }
    this.#deps.onError(error)
    sendText(response, 503, 'The site cannot be shown right now. Please try again.', {
      'retry-after': '5',
    })
  }
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'
