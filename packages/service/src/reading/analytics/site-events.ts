/**
 * Handles the events that pages send, one per request. Events with feedback are stored
 * individually; all others are only counted.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteEvent } from '@octavo/model'
import type { Database } from '../../platform/database/database.ts'
import { addressOf, type FindClientAddress } from '../../platform/http/client-address.ts'
import { checkSameOrigin, readBody } from '../../platform/http/reader-body.ts'
import { sendText } from '../../platform/http/send-response.ts'
import { networkOf } from '../../platform/limits/network-of.ts'
import { createRateLimit, type RateLimit } from '../../platform/limits/rate-limit.ts'
import { asProblem, PROBLEMS, Problem } from '../../platform/problem.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import { isCountedSite } from '../hosting/counted-file.ts'
import { findFile, hasIndex, type SiteView } from '../hosting/find-file.ts'
import type { SitePointer } from '../hosting/site-directory.ts'
import { type EventRecorder, hasOptedOut } from './event-recorder.ts'
import { createFeedbackStore } from './feedback-store.ts'
import { readEvent } from './read-event.ts'

export const EVENT_RATES = {
  eventsPerHourOfAddress: 600,
  /** Limits for feedback, since each entry is stored individually. */
  feedbackPerHourOfAddress: 30,
  feedbackPerHourOfProject: 1_000,
} as const

type SiteEventsDeps = {
  readonly database: Database
  readonly recorder: EventRecorder
  readonly cache: BlobCache
  readonly findClientAddress: FindClientAddress
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

type EventRequest = { readonly pointer: SitePointer; readonly view: SiteView }

export class SiteEvents {
  readonly #deps: SiteEventsDeps
  readonly #events: RateLimit
  readonly #feedbackOfAddress: RateLimit
  readonly #feedbackOfProject: RateLimit

  constructor(deps: SiteEventsDeps) {
    const { now } = deps
    this.#deps = deps
    this.#events = createRateLimit(EVENT_RATES.eventsPerHourOfAddress, now)
    this.#feedbackOfAddress = createRateLimit(EVENT_RATES.feedbackPerHourOfAddress, now)
    this.#feedbackOfProject = createRateLimit(EVENT_RATES.feedbackPerHourOfProject, now)
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    asked: EventRequest,
  ): Promise<void> {
    try {
      await this.#take(request, asked)
      response.writeHead(204, { 'cache-control': 'no-store' }).end()
    } catch (error) {
      const problem = asProblem(error)
      const { status } = PROBLEMS[problem.code]
      if (status >= 500) this.#deps.onError(error)
      sendText(response, status, problem.message, problem.headers)
    }
  }

  async #take(request: IncomingMessage, { pointer, view }: EventRequest): Promise<void> {
    // Responds as for a missing path if the site counts no events, or if the reader has no access
    // to it.
    if (!isCountedSite(view) || !hasIndex(view))
      throw new Problem('not-found', 'This page does not exist.')
    if (request.method !== 'POST')
      throw new Problem('method-not-allowed', 'Send events with POST.', {
        headers: { allow: 'POST' },
      })
    checkSameOrigin(request)
    const network = networkOf(addressOf(request, this.#deps.findClientAddress))
    const sender = `${pointer.projectId} ${network}`
    this.#events(sender)
    const event = readEvent(await readBody(request))
    if ('path' in event && !(await this.#isPage(view, event.path)))
      throw new Problem('invalid-request', 'This site has no such page.', { param: 'path' })
    if (event.type === 'feedback' || event.type === 'code-feedback') {
      this.#feedbackOfAddress(sender)
      this.#feedbackOfProject(pointer.projectId)
      await this.#keep(pointer, event)
    } else if (!hasOptedOut(request.headers)) this.#count(pointer, event)
  }

  #count(
    { projectId }: SitePointer,
    event: Extract<SiteEvent, { query: string }> | Extract<SiteEvent, { type: 'playground' }>,
  ): void {
    const { recorder } = this.#deps
    if (event.type === 'search')
      recorder.count(projectId, {
        event: 'search',
        subject: event.query,
        detail: event.results > 0 ? 'found' : 'empty',
      })
    else if (event.type === 'search-click')
      recorder.count(projectId, { event: 'search-click', subject: event.query, detail: event.path })
    else
      recorder.count(projectId, { event: 'playground', subject: event.path, detail: event.outcome })
  }

  async #keep(
    pointer: SitePointer,
    event: Extract<SiteEvent, { readonly key: string }>,
  ): Promise<void> {
    const { type, ...said } = event
    const source =
      type === 'code-feedback' ? 'code_snippet' : event.comment ? 'contextual' : 'thumbs_only'
    await createFeedbackStore(this.#deps.database.forProject(pointer)).add({ ...said, source })
  }

  /**
   * Returns true if the reader may see the page. Without this check, readers could guess the names
   * of hidden pages.
   */
  async #isPage(view: SiteView, path: string): Promise<boolean> {
    const found = await findFile(this.#deps.cache, view, path.slice(1))
    return found?.kind === 'file' && found.entry.path.endsWith('.html')
  }
}
