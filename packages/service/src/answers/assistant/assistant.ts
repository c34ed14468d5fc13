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
import { createRateLimit } from '../../platform/limits/rate-limit.ts'
import { asProblem, PROBLEMS, Problem, problemBody } from '../../platform/problem.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { hasIndex, type SiteView } from '../../reading/hosting/find-file.ts'
import type { SitePointer } from '../../reading/hosting/site-directory.ts'
import type { SiteSettings } from '../../reading/libraries/site-settings.ts'
import { createRefusalDelay } from './admit-questions.ts'
import { type AnswerDeps, createQuestionAnswerer } from './answer-question.ts'
import type { Proofs } from './proof-of-work.ts'
import { readFeedback, readProof } from './read-question.ts'
import { createAssistantSettings } from './settings-store.ts'
import { createTurnStore } from './turn-store.ts'

/** Every page asks whether there is an assistant. What an owner switches counts so much later. */
const KNOWN_MAX = 20_000
const KNOWN_MS = 15_000

export type AssistantDeps = AnswerDeps & {
  readonly proofs: Proofs
  readonly findClientAddress: FindClientAddress
  /** Nothing may be changed at the moment. */
  readonly isReadOnly: boolean
}

/** A request to the assistant of one site. */
export type AssistantRequest = {
  readonly slug: string
  readonly pointer: SitePointer
  readonly view: SiteView
  /** What stands behind `ASSISTANT_PATH`. */
  readonly path: string
}

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  asked: AssistantRequest & { readonly site: SiteSettings },
) => Promise<void>

type NamedHandler = {
  /** Of the limit for an address. */
  readonly name: 'ticket' | 'proof' | 'messages' | 'feedback'
  readonly run: Handler
}

const TOO_MANY = { detail: 'Too many requests from your network. Try again later.' }

export function createAssistant(deps: AssistantDeps) {
  const { database, libraries, tickets, proofs, now, findClientAddress } = deps
  const answers = createQuestionAnswerer(deps)
  const limits = {
    ticket: createRateLimit(ASSISTANT_LIMITS.ticketsPerHourOfAddress, now, TOO_MANY),
    proof: createRateLimit(ASSISTANT_LIMITS.ticketsPerHourOfAddress, now, TOO_MANY),
    messages: createRateLimit(ASSISTANT_LIMITS.questionsPerHourOfAddress, now, TOO_MANY),
    feedback: createRateLimit(ASSISTANT_LIMITS.feedbackPerHourOfAddress, now, TOO_MANY),
  }

  /** A ticket; or a challenge, where the owner wants work to be done for it. */
  const giveTicket: Handler = async (_, response, asked) => {
    const { slug, pointer, site } = asked
    const { needsProof } = await readSettings(pointer)
    const offer = needsProof ? { challenge: await proofs.challenge(slug) } : issueTicket(asked)
    sendJsonReply(response, 200, { ...offer, starterQuestions: site.starterQuestions })
  }

  const giveTicketForProof: Handler = async (request, response, asked) => {
    const proof = await readProof(request)
    const { slug, pointer } = asked
    await readSettings(pointer)
    await proofs.check(proof, slug, database.forProject(pointer))
    sendJsonReply(response, 200, issueTicket(asked))
  }

  async function readSettings(pointer: SitePointer) {
    const settings = await createAssistantSettings(database.forProject(pointer)).read()
    if (!settings.isOn) throw notThere()
    return settings
  }

  function issueTicket({ slug, pointer }: AssistantRequest) {
    libraries.warm()
    const { text, expiresAt } = tickets.issue(slug, pointer.deploymentId)
    return {
      ticket: text,
      expiresAt: new Date(expiresAt).toISOString(),
      questions: ASSISTANT_LIMITS.questionsPerTicket,
    }
  }

  const takeFeedback: Handler = async (request, response, { pointer }) => {
    const { conversation, token, helpful, reason, note } = await readFeedback(request)
    if (!tickets.isFeedbackToken(pointer.projectId, conversation, token))
      throw new Problem('forbidden', 'Only the reader of an answer can rate it.', {
        param: 'token',
      })
    const isThere = await createTurnStore(database.forProject(pointer)).addFeedback(conversation, {
      isHelpful: helpful,
      reason,
      note: note && maskSecrets(storable(note)),
    })
    if (!isThere) throw new Problem('not-found', 'The conversation does not exist.')
    sendJsonReply(response, 200, {})
  }

  const handlers: Readonly<Record<string, Readonly<Record<string, NamedHandler>>>> = {
    ticket: {
      GET: { name: 'ticket', run: giveTicket },
      POST: { name: 'proof', run: giveTicketForProof },
    },
    messages: { POST: { name: 'messages', run: answers.answer } },
    feedback: { POST: { name: 'feedback', run: takeFeedback } },
  }

  /** Counted in this process, before anything is read or asked: it costs nothing to refuse. */
  function limitAddress(request: IncomingMessage, name: NamedHandler['name'], project: string) {
    const address = addressOf(request, findClientAddress)
    limits[name](`${project} ${networkOf(address)}`)
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    asked: AssistantRequest,
  ): Promise<void> {
    const { pointer, view, path } = asked
    const byMethod = Object.hasOwn(handlers, path) ? handlers[path] : undefined
    if (byMethod === undefined || !hasIndex(view)) throw notThere()
    const { method = '' } = request
    const handler = Object.hasOwn(byMethod, method) ? byMethod[method] : undefined
    if (handler === undefined) {
      const allowed = Object.keys(byMethod)
      throw new Problem('method-not-allowed', `Only ${allowed.join(' and ')} is allowed here.`, {
        headers: { allow: allowed.join(', ') },
      })
    }
    if (deps.isReadOnly)
      throw new Problem('unavailable', 'The assistant does not answer at the moment.')
    checkSameOrigin(request)
    const site = await libraries.settings({
      tenant: pointer,
      digest: pointer.root,
      root: view.root,
    })
    if (!site.enabled) throw notThere()
    limitAddress(request, handler.name, pointer.projectId)
    await handler.run(request, response, { ...asked, site })
  }

  const delayRefusal = createRefusalDelay()
  const known = new LRUCache<string, boolean>({ max: KNOWN_MAX, ttl: KNOWN_MS })

  return {
    async answer(
      request: IncomingMessage,
      response: ServerResponse,
      asked: AssistantRequest,
    ): Promise<void> {
      try {
        await handle(request, response, asked)
      } catch (error) {
        const problem = asProblem(error)
        if (problem.code === 'internal') throw error
        if (problem.code === 'rate-limited') await delayRefusal()
        const { status } = PROBLEMS[problem.code]
        sendJsonReply(response, status, problemBody(problem, randomUUID()), {
          ...problem.headers,
          'content-type': 'application/problem+json',
        })
      }
    },
    /** Whether the pages of a site show it. Without the database they do not. */
    async isShown({ pointer, view }: Pick<AssistantRequest, 'pointer' | 'view'>): Promise<boolean> {
      const { projectId, root: digest } = pointer
      const { root } = view
      // A page of a sandboxed preview cannot ask it.
      if (deps.isReadOnly || view.isSandboxed || !hasIndex(view)) return false
      const key = `${projectId} ${digest}`
      const before = known.get(key)
      if (before !== undefined) return before
      try {
        const { enabled } = await libraries.settings({ tenant: pointer, digest, root })
        const settings = createAssistantSettings(database.forProject(pointer))
        const isShown = enabled && (await settings.read()).isOn
        known.set(key, isShown)
        return isShown
      } catch (error) {
        deps.onError(error)
        return false
      }
    },
    /** How many answers are being made. */
    running: answers.running,
    /** Ends what is under way, and waits until it is published. */
    stop: answers.stop,
  }
}
export type Assistant = ReturnType<typeof createAssistant>

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
