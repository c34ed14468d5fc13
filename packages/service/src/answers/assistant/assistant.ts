/** What a reader's page asks of the assistant: `/_octavo/assistant/` below the base path of its site. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import { INERT_POLICY } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import { addressOf, type FindClientAddress } from '../../platform/http/client-address.ts'
import { checkSameOrigin, storable } from '../../platform/http/reader-body.ts'
import { sendWhole } from '../../platform/http/send-reply.ts'
import { networkOf } from '../../platform/limits/network-of.ts'
import { createRateLimit, type RateLimit } from '../../platform/limits/rate-limit.ts'
import { asProblem, PROBLEMS, Problem, problemBody } from '../../platform/problem.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { hasIndex } from '../../reading/hosting/find-file.ts'
import type { SitePointer } from '../../reading/hosting/site-directory.ts'
import type { AssistantRequest } from '../../reading/hosting/site-routes.ts'
import type { SiteSettings } from '../../reading/libraries/site-settings.ts'
import { createRefusalDelay } from './admit-questions.ts'
import { type AnswerDeps, QuestionAnswerer } from './answer-question.ts'
import type { Proofs } from './proof-of-work.ts'
import { readFeedback, readProof } from './read-question.ts'
import { type AssistantSettings, AssistantSettingsStore } from './settings-store.ts'
import { TurnStore } from './turn-store.ts'

/** Every page asks whether there is an assistant. What an owner switches counts so much later. */
const KNOWN_MAX = 20_000
const KNOWN_MS = 15_000

const TOO_MANY = { detail: 'Too many requests from your network. Try again later.' }

export type AssistantDeps = AnswerDeps & {
  readonly proofs: Proofs
  readonly findClientAddress: FindClientAddress
  /** Nothing may be changed at the moment. */
  readonly isReadOnly: boolean
}

export type AskedSite = AssistantRequest & { readonly site: SiteSettings }

export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly asked: AskedSite
}

type Handler = {
  /** Of the limit for an address. */
  readonly name: 'ticket' | 'proof' | 'messages' | 'feedback'
  readonly run: (exchange: Exchange) => Promise<void>
}

export class Assistant {
  readonly #deps: AssistantDeps
  readonly #answers: QuestionAnswerer
  readonly #limits: Readonly<Record<Handler['name'], RateLimit>>
  readonly #known = new LRUCache<string, boolean>({ max: KNOWN_MAX, ttl: KNOWN_MS })
  readonly #delayRefusal = createRefusalDelay()
  /** By path and method. */
  readonly #handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
    ticket: {
      GET: { name: 'ticket', run: (exchange) => this.#sendTicket(exchange) },
      POST: { name: 'proof', run: (exchange) => this.#sendTicketForProof(exchange) },
    },
    messages: {
      POST: { name: 'messages', run: (exchange) => this.#answers.answer(exchange) },
    },
    feedback: { POST: { name: 'feedback', run: (exchange) => this.#takeFeedback(exchange) } },
  }

  constructor(deps: AssistantDeps) {
    this.#deps = deps
    this.#answers = new QuestionAnswerer(deps)
    const limit = (perHour: number) => createRateLimit(perHour, deps.now, TOO_MANY)
    this.#limits = {
      ticket: limit(ASSISTANT_LIMITS.ticketsPerHourOfAddress),
      proof: limit(ASSISTANT_LIMITS.ticketsPerHourOfAddress),
      messages: limit(ASSISTANT_LIMITS.questionsPerHourOfAddress),
      feedback: limit(ASSISTANT_LIMITS.feedbackPerHourOfAddress),
    }
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    asked: AssistantRequest,
  ): Promise<void> {
    try {
      await this.#handle(request, response, asked)
    } catch (error) {
      const problem = asProblem(error)
      if (problem.code === 'internal') throw error
      if (problem.code === 'rate-limited') await this.#delayRefusal()
      const { status } = PROBLEMS[problem.code]
      sendJsonReply(response, status, problemBody(problem, randomUUID()), {
        ...problem.headers,
        'content-type': 'application/problem+json',
      })
    }
  }

  /** Whether the pages of a site show it. Without the database they do not. */
  async isShown({ pointer, view }: Pick<AssistantRequest, 'pointer' | 'view'>): Promise<boolean> {
    const { database, libraries, isReadOnly, onError } = this.#deps
    const { projectId, root: digest } = pointer
    const { root } = view
    // A page of a sandboxed preview cannot ask it.
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

  /** How many answers are being made. */
  running(): number {
    return this.#answers.running()
  }

  /** Ends what is under way, and waits until it is published. */
  stop(): Promise<void> {
    return this.#answers.stop()
  }

  async #handle(
    request: IncomingMessage,
    response: ServerResponse,
    asked: AssistantRequest,
  ): Promise<void> {
    const { pointer, view, path } = asked
    const byMethod = Object.hasOwn(this.#handlers, path) ? this.#handlers[path] : undefined
    if (byMethod === undefined || !hasIndex(view)) throw notThere()
    const { method = '' } = request
    const handler = Object.hasOwn(byMethod, method) ? byMethod[method] : undefined
    if (handler === undefined) {
      const allowed = Object.keys(byMethod)
      throw new Problem('method-not-allowed', `Only ${allowed.join(' and ')} is allowed here.`, {
        headers: { allow: allowed.join(', ') },
      })
    }
    const { isReadOnly, libraries } = this.#deps
    if (isReadOnly) throw new Problem('unavailable', 'The assistant does not answer at the moment.')
    checkSameOrigin(request)
    const site = await libraries.settings({
      tenant: pointer,
      digest: pointer.root,
      root: view.root,
    })
    if (!site.enabled) throw notThere()
    this.#limitAddress(request, handler.name, pointer.projectId)
    await handler.run({ request, response, asked: { ...asked, site } })
  }

  /** Counted in this process, before anything is read or asked: it costs nothing to refuse. */
  #limitAddress(request: IncomingMessage, name: Handler['name'], project: string): void {
    const address = addressOf(request, this.#deps.findClientAddress)
    this.#limits[name](`${project} ${networkOf(address)}`)
  }

  /** A ticket; or a challenge, where the owner wants work to be done for it. */
  async #sendTicket({ response, asked }: Exchange): Promise<void> {
    const { slug, pointer, site } = asked
    const { needsProof } = await this.#readSettings(pointer)
    const offer = needsProof
      ? { challenge: await this.#deps.proofs.challenge(slug) }
      : this.#issueTicket(asked)
    sendJsonReply(response, 200, { ...offer, starterQuestions: site.starterQuestions })
  }

  async #sendTicketForProof({ request, response, asked }: Exchange): Promise<void> {
    const proof = await readProof(request)
    const { slug, pointer } = asked
    const { proofs, database } = this.#deps
    await this.#readSettings(pointer)
    await proofs.check(proof, slug, database.forProject(pointer))
    sendJsonReply(response, 200, this.#issueTicket(asked))
  }

  async #readSettings(pointer: SitePointer): Promise<AssistantSettings> {
    const store = new AssistantSettingsStore(this.#deps.database.forProject(pointer))
    const settings = await store.read()
    if (!settings.isOn) throw notThere()
    return settings
  }

  #issueTicket({ slug, pointer }: AssistantRequest) {
    const { libraries, tickets } = this.#deps
    libraries.warm()
    const { text, expiresAt } = tickets.issue(slug, pointer.deploymentId)
    return {
      ticket: text,
      expiresAt: new Date(expiresAt).toISOString(),
      questions: ASSISTANT_LIMITS.questionsPerTicket,
    }
  }

  async #takeFeedback({ request, response, asked }: Exchange): Promise<void> {
    const { tickets, database } = this.#deps
    const { pointer } = asked
    const { conversation, token, helpful, reason, note } = await readFeedback(request)
    if (!tickets.isFeedbackToken(pointer.projectId, conversation, token))
      throw new Problem('forbidden', 'Only the reader of an answer can rate it.', {
        param: 'token',
      })
    const isThere = await new TurnStore(database.forProject(pointer)).addFeedback(conversation, {
      isHelpful: helpful,
      reason,
      note: note && maskSecrets(storable(note)),
    })
    if (!isThere) throw new Problem('not-found', 'The conversation does not exist.')
    sendJsonReply(response, 200, {})
  }
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
  sendWhole(response, status, { type: 'application/json', body }, more)
}
