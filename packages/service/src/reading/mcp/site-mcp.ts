/**
 * The MCP server of a hosted site, at `/mcp` below its base path. Each POST request gets one JSON
 * response, and no state is stored between requests. Supports clients of the version 2026-07-28 and
 * of earlier versions.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createMcpAnswerer,
  type DocsServerOptions,
  type DocsSite,
  MCP_HEADERS,
  type McpHeaders,
} from '@octavo/mcp'
import { addressOf, type FindClientAddress } from '../../platform/http/client-address.ts'
import { readBody } from '../../platform/http/reader-body.ts'
import { sendText, sendUnauthorized, sendUncached } from '../../platform/http/send-response.ts'
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import { networkOf } from '../../platform/limits/network-of.ts'
import { createRateLimit, type RateLimit } from '../../platform/limits/rate-limit.ts'
import { asProblem } from '../../platform/problem.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { SiteReader } from '../access/find-reader.ts'
import { protectedResource } from '../access/protected-resource.ts'
import type { AgentReports } from '../analytics/agent-reports.ts'
import type { EventRecorder } from '../analytics/event-recorder.ts'
import { isCountedSite } from '../hosting/counted-file.ts'
import { hasIndex, type SiteView } from '../hosting/find-file.ts'
import type { SitePointer } from '../hosting/site-directory.ts'
import type { DeploymentLibraries } from '../libraries/deployment-libraries.ts'
import { type ChangesDeps, createFindChanges } from './find-changes.ts'

export const MCP_LIMITS = {
  bodyBytes: 64 * 1024,
  requestsPerHourOfAddress: 5_000,
  /** The maximum number of waiting requests in a process. */
  waitingMax: 1_000,
} as const

/**
 * The maximum number of concurrent requests. A search takes a few milliseconds of CPU time, which
 * page requests need too.
 */
const AT_ONCE = { atOnce: 8, atOnceOfProject: 4 }
/** The maximum time until clients notice a new deployment. */
const TTL_MS = 60_000

type SiteMcpDeps = Pick<ChangesDeps, 'database' | 'cache'> & {
  readonly parts: { readonly libraries: DeploymentLibraries }
  readonly recorder: EventRecorder
  readonly reports: AgentReports
  readonly findClientAddress: FindClientAddress
  /** Returns the origin of a site in the browser. */
  readonly originOf: (slug: string) => string
  readonly log: Log
  readonly now: () => number
}

type McpRequest = {
  readonly slug: string
  readonly pointer: SitePointer
  readonly view: SiteView
  readonly asker: SiteReader
}

type KnownSite = { readonly options: DocsServerOptions; readonly readerKey: string }

export class SiteMcp {
  readonly bodyBytesMax = MCP_LIMITS.bodyBytes
  readonly #deps: SiteMcpDeps
  readonly #limit: RateLimit
  readonly #queue = createFairQueue(AT_ONCE)
  readonly #answerMcp = createMcpAnswerer()
  readonly #sites = new WeakMap<SiteView, KnownSite>()
  readonly #findChanges: ReturnType<typeof createFindChanges>
  #waiting = 0

  constructor(deps: SiteMcpDeps) {
    this.#deps = deps
    this.#findChanges = createFindChanges({ ...deps, ...deps.parts })
    this.#limit = createRateLimit(MCP_LIMITS.requestsPerHourOfAddress, deps.now)
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    mcpRequest: McpRequest,
  ): Promise<void> {
    const { view } = mcpRequest
    const hasNothing = !hasIndex(view)
    const isForOthers = hasNothing && view.isProtected && !view.reader.hasSiteAccess
    if (isForOthers || mcpRequest.asker.isRefused === true)
      this.#askAgent(request, response, mcpRequest)
    else if (hasNothing) sendText(response, 404, 'This site has no MCP server.')
    else if (this.#admit(request, response, mcpRequest))
      await this.#answerNext(request, response, mcpRequest)
  }

  /** Returns true if the request is accepted; otherwise, rejects it with a response. */
  #admit(request: IncomingMessage, response: ServerResponse, { pointer }: McpRequest): boolean {
    if (request.method !== 'POST') {
      sendText(
        response,
        405,
        'This is the MCP server of this site, for coding agents. Send requests with POST.',
        { allow: 'POST' },
      )
      return false
    }
    if (!isSameOriginOrProgram(request)) {
      sendText(response, 403, 'Pages of other sites cannot use this MCP server.')
      return false
    }
    const refused = this.#refusalOf(request, pointer)
    if (refused !== undefined) {
      sendText(response, 429, 'Too many requests from your network. Try again later.', refused)
      return false
    }
    if (this.#waiting >= MCP_LIMITS.waitingMax) {
      sendText(response, 503, 'Too many requests at the same time.', { 'retry-after': '5' })
      return false
    }
    return true
  }

  /** Reads the request, waits for the project's turn and responds. */
  async #answerNext(
    request: IncomingMessage,
    response: ServerResponse,
    mcpRequest: McpRequest,
  ): Promise<void> {
    const text = (await readBody(request)).toString('utf8')
    const origin = this.#originAt(request, mcpRequest.slug)
    const message = { url: origin + (request.url ?? '/'), headers: headersOf(request) }
    this.#waiting += 1
    try {
      const answer = await this.#queue(mcpRequest.pointer.projectId, async () =>
        response.destroyed
          ? undefined
          : this.#answerMcp(message, text, () => this.#siteOf(new URL(origin).origin, mcpRequest)),
      )
      if (answer !== undefined)
        sendUncached(
          response,
          answer.status,
          { type: 'application/json', body: answer.body },
          { 'x-accel-buffering': 'no' },
        )
    } finally {
      this.#waiting -= 1
    }
  }

  /**
   * Returns the options of a site's MCP server. They are cached with the view, because data
   * prepared for a site is cached under this object. Readers who see the same live files may have
   * different groups, which earlier deployments used.
   */
  async #siteOf(origin: string, { pointer, view, asker }: McpRequest): Promise<DocsServerOptions> {
    const { root, reader } = view
    const url = origin + view.basePath
    const known = this.#sites.get(view)
    if (known?.options.site.url === url && known.readerKey === asker.key) return known.options
    const { parts, log } = this.#deps
    const { libraries } = parts
    const { deploymentId, root: digest } = pointer
    const { name } = await libraries.settings({ tenant: pointer, digest, root })
    const options: DocsServerOptions = {
      site: {
        name: name || 'this site',
        deployment: libraries.readerOf(root),
        reader,
        openLibrary: (scope) =>
          libraries.library({ tenant: pointer, deploymentId, digest, root, reader, scope }),
        url,
        ...(!view.isPreview && {
          findChanges: (since) => this.#findChanges(since, { pointer, reader: asker }),
        }),
        ...(isCountedSite(view) && this.#countedBy(pointer)),
      },
      cache: { ttlMs: TTL_MS, cacheScope: view.isProtected ? 'private' : 'public' },
      onError: (error) => log.error('answering an agent failed', { error }),
    }
    this.#sites.set(view, { options, readerKey: asker.key })
    return options
  }

  #countedBy(pointer: SitePointer): Pick<DocsSite, 'onCall' | 'reportProblem'> {
    const { recorder, reports } = this.#deps
    return {
      onCall: (tool, detail) =>
        recorder.count(pointer.projectId, { event: 'mcp', subject: tool, detail }),
      reportProblem: (report) => reports.add(pointer, report),
    }
  }

  /**
   * Responds that a token is required, with the URL of the metadata if readers sign in at a
   * provider.
   */
  #askAgent(request: IncomingMessage, response: ServerResponse, mcpRequest: McpRequest): void {
    const { slug, pointer, view, asker } = mcpRequest
    const { metadata } = protectedResource(this.#originAt(request, slug), view.basePath)
    sendUnauthorized(response, asker, pointer.protection === 'oidc' ? metadata : undefined)
  }

  /** Returns the site's origin. The host is trusted, because a site was found for it. */
  #originAt({ headers }: IncomingMessage, slug: string): string {
    return `${new URL(this.#deps.originOf(slug)).protocol}//${headers.host}`
  }

  #refusalOf(
    request: IncomingMessage,
    { projectId }: SitePointer,
  ): Readonly<Record<string, string>> | undefined {
    const address = addressOf(request, this.#deps.findClientAddress)
    try {
      this.#limit(`${projectId} ${networkOf(address)}`)
      return undefined
    } catch (error) {
      return asProblem(error).headers ?? {}
    }
  }
}

/**
 * Rejects requests from pages of other sites, which could otherwise exploit their readers' network
 * access. Programs do not send an `Origin` header.
 */
function isSameOriginOrProgram({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers
  return origin === undefined || URL.parse(origin)?.host === host
}

function headersOf({ headers }: IncomingMessage): McpHeaders {
  const found: Partial<Record<keyof McpHeaders, string>> = {}
  for (const name of MCP_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') found[name] = value
  }
  return found
}
