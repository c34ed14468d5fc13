/**
 * Handles requests to the assistant, which the pages of a site send to `/_octavo/assistant/` below
 * the base path.
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { SiteSettings } from '@octavo/assistant'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import { INERT_POLICY } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import { addressOf, type FindClientAddress } from '../../platform/http/client-address.ts'
import { checkSameOrigin, storable } from '../../platform/http/reader-body.ts'
import { ALL_METHODS, POST } from '../../platform/http/reader-request.ts'
import { sendUncached } from '../../platform/http/send-response.ts'
import { networkOf } from '../../platform/limits/network-of.ts'
import { createRateLimit } from '../../platform/limits/rate-limit.ts'
import { asProblem, PROBLEMS, Problem, problemBody } from '../../platform/problem.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { hasIndex } from '../../reading/hosting/find-file.ts'
import type { SitePointer } from '../../reading/hosting/site-directory.ts'
import type { SiteExchange, SiteRoute } from '../../reading/hosting/site-router.ts'
import { ASSISTANT_PATH } from '../../reading/site-paths.ts'
import { createRejectionDelay } from './admit-questions.ts'
import { type AnswerDeps, QuestionAnswerer } from './answer-question.ts'
import type { Proofs } from './proof-of-work.ts'
import { readFeedback, readProof } from './read-question.ts'
import { type AssistantSettings, AssistantSettingsStore } from './settings-store.ts'
import { TurnStore } from './turn-store.ts'

/**
 * Every page view checks whether the site has an assistant, so the result is cached. A change by
 * the owner takes effect after this time.
 */
const KNOWN_MAX = 20_000
const KNOWN_MS = 15_000

const GET: ReadonlySet<string> = new Set(['GET'])
const TOO_MANY = { detail: 'Too many requests from your network. Try again later.' }

export type AssistantDeps = AnswerDeps & {
  readonly proofs: Proofs
  readonly findClientAddress: FindClientAddress
  /** True while the service accepts no changes. */
  readonly isReadOnly: boolean
}

/** A reader's request to a site that has an assistant. */
export type AssistantExchange = SiteExchange & { readonly site: SiteSettings }

type Answer = (exchange: SiteExchange) => Promise<void>

export class Assistant {
  readonly #deps: AssistantDeps
  readonly #answers: QuestionAnswerer
  readonly #known = new LRUCache<string, boolean>({ max: KNOWN_MAX, ttl: KNOWN_MS })
  readonly #delayRefusal = createRejectionDelay()
  /** All routes below `ASSISTANT_PATH`, except those of its scripts. */
  readonly routes: readonly SiteRoute[]

  constructor(deps: AssistantDeps) {
    this.#deps = deps
    this.#answers = new QuestionAnswerer(deps)
    this.routes = this.#createRoutes()
  }

  /**
   * Returns true if the pages of a site show the assistant. Also returns false if the database
   * cannot be reached.
   */
  async isShown({ pointer, view }: Pick<SiteExchange, 'pointer' | 'view'>): Promise<boolean> {
    const { database, libraries, isReadOnly, onError } = this.#deps
    const { projectId, root: digest } = pointer
    const { root } = view
    // Pages of a sandboxed preview cannot send requests to the assistant.
    if (isReadOnly || view.isSandboxed || !hasIndex(view)) return false
    const key = `${projectId} ${digest}`
    const before = this.#known.get(key)
    if (before !== undefined) return before
    try {
      const { enabled } = await libraries.settings({ tenant: pointer, digest, root })
      const settings = new AssistantSettingsStore(database.forProject(pointer))
      const isShown = enabled && (await settings.read()).isOn
      this.#known.set(key, isShown)
      return isShown
    } catch (error) {
      onError(error)
      return false
    }
  }

  /** The number of answers in progress. */
  running(): number {
    return this.#answers.running()
  }

  /** Interrupts all running answers and waits until they are published. */
  stop(): Promise<void> {
    return this.#answers.stop()
  }

  /** Creates the routes. The last route of each path rejects all other methods. */
  #createRoutes(): readonly SiteRoute[] {
    const {
      bodyBytes: bodyBytesMax,
      ticketsPerHourOfAddress: tickets,
      questionsPerHourOfAddress: questions,
      feedbackPerHourOfAddress: feedback,
    } = ASSISTANT_LIMITS
    const shared = { after: 'base', bodyBytesMax, metric: 'assistant' } as const
    const at = (path: string, methods: ReadonlySet<string>, answer: Answer): SiteRoute => ({
      ...shared,
      paths: [ASSISTANT_PATH + path],
      methods,
      isFor: ({ view }) => hasIndex(view),
      handle: (exchange) => this.#handle(exchange, answer),
    })
    const sendTicket = this.#limited(tickets, (exchange) => this.#sendTicket(exchange))
    const sendTicketForProof = this.#limited(tickets, (exchange) =>
      this.#sendTicketForProof(exchange),
    )
    const answer = this.#limited(questions, (exchange) => this.#answers.answer(exchange))
    const takeFeedback = this.#limited(feedback, (exchange) => this.#takeFeedback(exchange))
    return [
      at('ticket', GET, sendTicket),
      at('ticket', POST, sendTicketForProof),
      at('ticket', ALL_METHODS, refuseMethods(['GET', 'POST'])),
      at('messages', POST, answer),
      at('messages', ALL_METHODS, refuseMethods(['POST'])),
      at('feedback', POST, takeFeedback),
      at('feedback', ALL_METHODS, refuseMethods(['POST'])),
      {
        ...shared,
        paths: [ASSISTANT_PATH],
        methods: ALL_METHODS,
        handle: (exchange) => this.#handle(exchange, refuseAll),
      },
    ]
  }

  async #handle(exchange: SiteExchange, answer: Answer): Promise<void> {
    try {
      await answer(exchange)
    } catch (error) {
      const problem = asProblem(error)
      if (problem.code === 'internal') throw error
      if (problem.code === 'rate-limited') await this.#delayRefusal()
      const { status } = PROBLEMS[problem.code]
      sendJsonReply(exchange.response, status, problemBody(problem, randomUUID()), {
        ...problem.headers,
        'content-type': 'application/problem+json',
      })
    }
  }

  /**
   * Limits the requests from a network. They are counted in memory before a body is read or the
   * database is queried, so a rejection costs almost nothing.
   */
  #limited(
    perHourOfAddress: number,
    answer: (exchange: AssistantExchange) => Promise<void>,
  ): Answer {
    const { isReadOnly, libraries, findClientAddress, now } = this.#deps
    const limit = createRateLimit(perHourOfAddress, now, TOO_MANY)
    return async (exchange) => {
      const { request, pointer, view } = exchange
      if (isReadOnly)
        throw new Problem(
          'unavailable',
          'The assistant is unavailable at the moment. Try again later.',
        )
      checkSameOrigin(request)
      const site = await libraries.settings({
        tenant: pointer,
        digest: pointer.root,
        root: view.root,
      })
      if (!site.enabled) throw notThere()
      limit(`${pointer.projectId} ${networkOf(addressOf(request, findClientAddress))}`)
      await answer({ ...exchange, site })
    }
  }

  /** Sends a ticket. If the owner requires proof of work, sends a challenge instead. */
  async #sendTicket(exchange: AssistantExchange): Promise<void> {
    const { response, slug, pointer, site } = exchange
    const { needsProof } = await this.#readSettings(pointer)
    const offer = needsProof
      ? { challenge: await this.#deps.proofs.challenge(slug) }
      : this.#issueTicket(exchange)
    sendJsonReply(response, 200, { ...offer, starterQuestions: site.starterQuestions })
  }

  async #sendTicketForProof(exchange: AssistantExchange): Promise<void> {
    const { request, response, slug, pointer } = exchange
    const proof = await readProof(request)
    const { proofs, database } = this.#deps
    await this.#readSettings(pointer)
    await proofs.check(proof, slug, database.forProject(pointer))
    sendJsonReply(response, 200, this.#issueTicket(exchange))
  }

  async #readSettings(pointer: SitePointer): Promise<AssistantSettings> {
    const store = new AssistantSettingsStore(this.#deps.database.forProject(pointer))
    const settings = await store.read()
    if (!settings.isOn) throw notThere()
    return settings
  }

  #issueTicket({ slug, pointer }: AssistantExchange) {
    const { libraries, tickets } = this.#deps
    libraries.warm()
    const { text, expiresAt } = tickets.issue(slug, pointer.deploymentId)
    return {
      ticket: text,
      expiresAt: new Date(expiresAt).toISOString(),
      questions: ASSISTANT_LIMITS.questionsPerTicket,
    }
  }

  async #takeFeedback({ request, response, pointer }: AssistantExchange): Promise<void> {
    const { tickets, database } = this.#deps
    const { conversation, token, helpful, reason, note } = await readFeedback(request)
    if (!tickets.isFeedbackToken(pointer.projectId, conversation, token))
      throw new Problem('forbidden', 'Only the reader of an answer can rate it.', {
        param: 'token',
      })
    const isSaved = await new TurnStore(database.forProject(pointer)).addFeedback(conversation, {
      isHelpful: helpful,
      reason,
      note: note && maskSecrets(storable(note)),
    })
    if (!isSaved) throw new Problem('not-found', 'The conversation does not exist.')
    sendJsonReply(response, 200, {})
  }
}

function refuseMethods(allowed: readonly string[]): Answer {
  return async () => {
    throw new Problem('method-not-allowed', `Allowed methods: ${allowed.join(', ')}.`, {
      headers: { allow: allowed.join(', ') },
    })
  }
}

async function refuseAll(): Promise<void> {
  throw notThere()
}

const notThere = () => new Problem('not-found', 'This site has no assistant.')

function sendJsonReply(
  response: ServerResponse,
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify(value)
  const more = { 'content-security-policy': INERT_POLICY, ...headers }
  sendUncached(response, status, { type: 'application/json', body }, more)
}
