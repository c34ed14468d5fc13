/**
 * Answers a reader's question. The question is stored before a model is called, and the outcome is
 * stored before the reader sees it, so no model is called while the database is down.
 */
import { ASSISTANT_LIMITS } from '@octavo/contract'
import {
  type Answerer,
  type Question,
  type SiteLibrary,
  type UnansweredReason,
  UnreadableIndex,
} from '@octavo/search'
import type { Database } from '../../platform/database/database.ts'
import { readBody } from '../../platform/http/reader-body.ts'
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import { Problem } from '../../platform/problem.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import type { DeploymentLibraries } from '../../reading/libraries/deployment-libraries.ts'
import { Admission } from './admit-questions.ts'
import { AnswerCache, type CachedAnswer } from './answer-cache.ts'
import { type AnswerWriter, createAnswerWriter, type FinishedAnswer } from './answer-writer.ts'
import type { AssistantExchange } from './assistant.ts'
import { type AnswererChooser, type ChosenAnswerer, EXTRACTIVE } from './choose-answerer.ts'
import { JoinedTurns } from './joined-turns.ts'
import { parseQuestion } from './read-question.ts'
import { RecentSettings } from './recent-settings.ts'
import {
  beginTurn,
  endOf,
  LostLease,
  publishTurn,
  runTurn,
  sumOf,
  type TurnResult,
} from './run-turn.ts'
import { type AssistantBudget, type AssistantSettings, budgetOf } from './settings-store.ts'
import type { Tickets } from './ticket.ts'
import type { LeasedTurn, NewTurn, Turns } from './turn-store.ts'

export type AnswerDeps = {
  readonly database: Database
  readonly libraries: DeploymentLibraries
  readonly chooseAnswerer: AnswererChooser
  readonly tickets: Tickets
  /** The budget for projects that have not set one. */
  readonly budget: AssistantBudget
  /** Returns the origin of a site as readers see it. */
  readonly originOf: (slug: string) => string
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** A stored question that is ready to be answered. */
type PreparedQuestion = {
  readonly question: Question
  readonly library: SiteLibrary
  readonly turns: Turns
  readonly turn: LeasedTurn
  readonly key: string | undefined
  readonly cached: CachedAnswer | undefined
  /** True if a model should answer but the budget is used up. */
  readonly isSpent: boolean
  readonly chosen: ChosenAnswerer
}

const TITLE_LENGTH_MAX = 500
/**
 * Limits for preparing questions. A preparation takes about 1 ms of CPU time in this process and
 * more in the database, which requests for pages need too. So a flood of questions is slowed down,
 * but readers who ask at the same moment do not wait for each other's intervals.
 */
const PREPARE_LIMITS = { atOnce: 4, atOnceOfProject: 2, everyMs: 8, burst: 200 }
const UNREADABLE =
  'The search index of this deployment cannot be read. The owner has to deploy the site again.'
export class QuestionAnswerer {
  readonly #deps: AnswerDeps
  readonly #cache: AnswerCache
  readonly #admission: Admission
  readonly #recentSettings: RecentSettings
  readonly #preparing = createFairQueue(PREPARE_LIMITS)
  readonly #turns: JoinedTurns
  readonly #ends = new Set<(reason: UnansweredReason) => void>()
  #isStopping = false

  constructor(deps: AnswerDeps) {
    const { database, chooseAnswerer, now } = deps
    this.#deps = deps
    this.#cache = new AnswerCache(now)
    this.#admission = new Admission(now)
    this.#recentSettings = new RecentSettings(chooseAnswerer, now)
    this.#turns = new JoinedTurns(database.pool.options.max)
  }

  /** Returns the number of answers in progress. */
  running(): number {
    return this.#admission.running()
  }

  async answer(exchange: AssistantExchange): Promise<void> {
    const { projectId } = exchange.pointer
    this.#admission.check(projectId)
    await this.#admission.run(projectId, () => this.#ask(exchange))
  }

  /** Interrupts all running answers and waits until they are published. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const end of this.#ends) end('interrupted')
    await this.#admission.settled()
  }

  async #ask(exchange: AssistantExchange): Promise<void> {
    const { request, response, pointer } = exchange
    const { projectId } = pointer
    // The body is read before the request is queued, so that a slow client does not block other
    // requests. It is parsed when its turn comes.
    const body = await readBody(request)
    const kept = await this.#preparing(projectId, async () => {
      // While the request waited, the project may have been refused or the reader may have
      // disconnected.
      this.#admission.check(projectId)
      if (this.#isStopping)
        throw new Problem('unavailable', 'The service is restarting. Ask again.')
      return response.destroyed ? undefined : this.#prepare(exchange, body)
    })
    if (kept === undefined) return
    const writer = createAnswerWriter(request, response)
    writer.start(kept.turn.id)
    try {
      const result = await this.#run(kept, exchange, writer)
      if (kept.cached === undefined && !kept.isSpent)
        this.#cache.set(kept.key, { ...result, model: kept.chosen.model })
      writer.end(await this.#publish(kept, exchange, result))
    } catch (error) {
      if (!(error instanceof LostLease)) this.#deps.onError(error)
      const message = 'The answer was interrupted. Please ask again.'
      if (!writer.fail(message)) throw new Problem('unavailable', message, { cause: error })
    }
  }

  /**
   * Validates the question, opens the library that it is answered from, and stores the question.
   */
  async #prepare(exchange: AssistantExchange, body: Buffer): Promise<PreparedQuestion> {
    const { slug, pointer, view, site } = exchange
    const { projectId, deploymentId } = pointer
    const read = parseQuestion(body, view.basePath)
    const ticket = this.#deps.tickets.verify(read.ticket, slug)
    if (ticket === undefined)
      throw new Problem(
        'invalid-ticket',
        'The ticket is not valid or has expired. Get a new one.',
        {
          param: 'ticket',
        },
      )
    this.#admission.check(ticket.id)
    const bound = this.#deps.database.forProject(pointer)
    const { settings, answerer: wanted } = await this.#recentSettings.read(bound, {
      digest: pointer.root,
      site,
      // A preview that was not approved contains untrusted text, so it must not spend the owner's
      // tokens.
      asksModel: pointer.preview?.runsScripts !== false,
    })
    if (!settings.isOn) throw new Problem('not-found', 'This site has no assistant.')
    const question = settings.masks ? maskQuestion(read.question) : read.question
    const scope = view.root.search.find((place) => place.scope === read.scope)?.scope
    const library = await this.#openLibrary(exchange, scope)
    const key = this.#cache.keyOf(question, {
      projectId,
      deploymentId,
      scope,
      labels: view.name,
      answerer: wanted.id,
      hasVectors: (library.vectorBytes ?? 0) > 0,
    })
    const cached = this.#cache.get(key)
    const turns = this.#turns.of(bound)
    const turn = await this.#begin(turns, exchange, {
      question,
      threadId: read.threadId,
      ticket: ticket.id,
      tokens: cached === undefined ? wanted.tokensMax : 0,
      settings,
    })
    const isSpent = cached === undefined && wanted.tokensMax > 0 && !turn.hasBudget
    const chosen = choose({ cached, isSpent, wanted })
    return { question, library, turns, turn, key, cached, isSpent, chosen }
  }

  async #openLibrary({ pointer, view }: AssistantExchange, scope: string | undefined) {
    const { deploymentId, root: digest } = pointer
    const { root, reader } = view
    const wanted = { tenant: pointer, deploymentId, digest, root, reader, scope }
    try {
      return await this.#deps.libraries.library(wanted)
    } catch (error) {
      if (!(error instanceof UnreadableIndex)) throw error
      throw new Problem('unavailable', UNREADABLE, { cause: error })
    }
  }

  async #begin(
    turns: Turns,
    exchange: AssistantExchange,
    { question, settings, ...given }: BegunQuestion,
  ) {
    const { pointer } = exchange
    const begun = await beginTurn(turns, {
      ...given,
      query: pointer.preview === undefined ? question.text : undefined,
      pageUrl: question.page && this.#absolute(exchange, question.page.url),
      deploymentId: pointer.deploymentId,
      ticketMax: ASSISTANT_LIMITS.questionsPerTicket,
      projectMax: ASSISTANT_LIMITS.questionsPerHourOfProject,
      ...budgetOf(settings, this.#deps.budget),
    })
    if (begun.kind === 'begun') return begun
    throw begun.by === 'ticket'
      ? this.#admission.refuseTicket(given.ticket)
      : this.#admission.refuseProject(pointer.projectId)
  }

  async #run(
    { turns, turn, question, library, chosen }: PreparedQuestion,
    { pointer, response }: AssistantExchange,
    writer: AnswerWriter,
  ): Promise<TurnResult> {
    const { onError, now } = this.#deps
    let end: ((reason: UnansweredReason) => void) | undefined
    const onEnd = (endTurn: (reason: UnansweredReason) => void) => {
      end = endTurn
      this.#ends.add(endTurn)
      response.once('close', () => endTurn('stopped'))
      if (response.destroyed) endTurn('stopped')
    }
    try {
      return await runTurn({
        turns,
        turn,
        isRecorded: pointer.preview === undefined,
        question,
        library,
        answerer: chosen.answerer,
        tokens: chosen.tokensMax,
        give: writer.give,
        onEnd,
        onError,
        now,
      })
    } finally {
      if (end !== undefined) this.#ends.delete(end)
    }
  }

  /** Stores the outcome of a question. This must happen before the reader sees the outcome. */
  async #publish(
    kept: PreparedQuestion,
    exchange: AssistantExchange,
    result: TurnResult,
  ): Promise<FinishedAnswer> {
    const { chosen, cached, isSpent } = kept
    const { text, usedTokens } = result
    const ended = endOf(result, isSpent, ({ title, url }) => ({
      title: title.slice(0, TITLE_LENGTH_MAX),
      url: this.#absolute(exchange, url),
    }))
    const id = await publishTurn(kept, {
      ...ended,
      response: text,
      model: chosen.model,
      usedTokens,
      savedTokens: sumOf(cached?.outcome.usage),
      isCached: cached !== undefined,
    })
    const { projectId, deploymentId, preview } = exchange.pointer
    const token = () => this.#deps.tickets.feedbackToken(projectId, id)
    const conversation = preview === undefined ? { id, token: token() } : undefined
    return { ...ended, text, deployment: deploymentId, conversation }
  }

  #absolute({ slug, view }: AssistantExchange, url: string): string {
    return new URL(`${this.#deps.originOf(slug)}${view.basePath}${url}`).href
  }
}

type BegunQuestion = Pick<NewTurn, 'threadId' | 'ticket' | 'tokens'> & {
  readonly question: Question
  readonly settings: AssistantSettings
}

function maskQuestion({ text, history, page }: Question): Question {
  const selection = page?.selection
  return {
    text: maskSecrets(text),
    history: history.map((message) => ({ ...message, text: maskSecrets(message.text) })),
    ...(page !== undefined && {
      page: { ...page, ...(selection !== undefined && { selection: maskSecrets(selection) }) },
    }),
  }
}

/**
 * Returns the answerer to use: the cache if it has the answer, passages of the documentation if the
 * budget is used up, or else the wanted answerer.
 */
function choose({
  cached,
  isSpent,
  wanted,
}: {
  readonly cached: CachedAnswer | undefined
  readonly isSpent: boolean
  readonly wanted: ChosenAnswerer
}): ChosenAnswerer {
  if (cached === undefined) return isSpent ? EXTRACTIVE : wanted
  const answerer: Answerer = async (_, { give }) => {
    await give({ type: 'text', text: cached.text })
    const { usage: _usage, ...outcome } = cached.outcome
    return outcome
  }
  return { answerer, id: wanted.id, model: cached.model, tokensMax: 0 }
}
