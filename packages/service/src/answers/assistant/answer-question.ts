/**
 * Answers one question of a reader. It is kept before a model is asked, and its end is committed before
 * the reader is told of it; without the database nobody is asked.
 */
import { ASSISTANT_LIMITS } from '@octavo/contract'
import {
  type Answerer,
  type Question,
  type SiteLibrary,
  type UnansweredReason,
  UnreadableIndex,
} from '@octavo/search'
import type { Database, ProjectDatabase } from '../../platform/database/database.ts'
import { readBody } from '../../platform/http/reader-body.ts'
import { createFairQueue, type FairQueue } from '../../platform/limits/fair-queue.ts'
import { Problem } from '../../platform/problem.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import type { DeploymentLibraries } from '../../reading/libraries/deployment-libraries.ts'
import { Admission } from './admit-questions.ts'
import { AnswerCache, type CachedAnswer } from './answer-cache.ts'
import { type AnswerWriter, createAnswerWriter, type EndedAnswer } from './answer-writer.ts'
import type { AskedSite } from './assistant.ts'
import { type AnswererChooser, type ChosenAnswerer, EXTRACTIVE } from './choose-answerer.ts'
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
import { type LeasedTurn, type NewTurn, TurnStore, type Turns } from './turn-store.ts'

export type AnswerDeps = {
  readonly database: Database
  readonly libraries: DeploymentLibraries
  readonly chooseAnswerer: AnswererChooser
  readonly tickets: Tickets
  /** Of projects that have set none. */
  readonly budget: AssistantBudget
  /** The origin of a site, as browsers know it. */
  readonly originOf: (slug: string) => string
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** A question that is kept and can be answered. */
type KeptQuestion = {
  readonly question: Question
  readonly library: SiteLibrary
  readonly turns: Turns
  readonly turn: LeasedTurn
  readonly key: string | undefined
  readonly cached: CachedAnswer | undefined
  /** A model was wanted, and there is no budget left for it. */
  readonly isSpent: boolean
  readonly chosen: ChosenAnswerer
}

const TITLE_LENGTH_MAX = 500
/** A question takes about 4 ms of the processor until the model is asked; readers need it too. */
const PREPARED_AT_ONCE = { atOnce: 4, atOnceOfProject: 2, everyMs: 8 }
const UNREADABLE =
  'The search index of this deployment cannot be read. The owner has to deploy the site again.'
/** The lock of a project lets one of them through at a time. */
const CALLS_OF_PROJECT = 2

export class QuestionAnswerer {
  readonly #deps: AnswerDeps
  readonly #cache: AnswerCache
  readonly #admission: Admission
  readonly #recentSettings: RecentSettings
  readonly #preparing = createFairQueue(PREPARED_AT_ONCE)
  readonly #calls: FairQueue
  readonly #ends = new Set<(reason: UnansweredReason) => void>()
  #isStopping = false

  constructor(deps: AnswerDeps) {
    const { database, chooseAnswerer, now } = deps
    this.#deps = deps
    this.#cache = new AnswerCache(now)
    this.#admission = new Admission(now)
    this.#recentSettings = new RecentSettings(chooseAnswerer, now)
    // Half of the connections stay free for everybody else. A question waits here as long as it takes;
    // those who wait for the pool are sent away after two seconds.
    this.#calls = createFairQueue({
      atOnce: Math.max(1, Math.floor(database.pool.options.max / 2)),
      atOnceOfProject: CALLS_OF_PROJECT,
    })
  }

  /** How many answers are being made. */
  running(): number {
    return this.#admission.running()
  }

  async answer(asked: AskedSite): Promise<void> {
    const { projectId } = asked.pointer
    this.#admission.check(projectId)
    await this.#admission.run(projectId, () => this.#ask(asked))
  }

  /** Ends what is under way, and waits until it is published. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const end of this.#ends) end('interrupted')
    await this.#admission.settled()
  }

  async #ask(asked: AskedSite): Promise<void> {
    const { request, response, pointer } = asked
    const { projectId } = pointer
    // A slow sender keeps nobody waiting, and many senders at once are understood one after the other.
    const body = await readBody(request)
    const kept = await this.#preparing(projectId, async () => {
      // Others may have been refused, or the reader may have left, while this one waited.
      this.#admission.check(projectId)
      if (this.#isStopping)
        throw new Problem('unavailable', 'The service is restarting. Ask again.')
      return response.destroyed ? undefined : this.#prepare(asked, body)
    })
    if (kept === undefined) return
    const writer = createAnswerWriter(request, response)
    writer.start(kept.turn.id)
    try {
      const result = await this.#run(kept, asked, writer)
      if (kept.cached === undefined && !kept.isSpent)
        this.#cache.set(kept.key, { ...result, model: kept.chosen.model })
      writer.end(await this.#publish(kept, asked, result))
    } catch (error) {
      if (!(error instanceof LostLease)) this.#deps.onError(error)
      const message = 'The answer was interrupted. Please ask again.'
      if (!writer.fail(message)) throw new Problem('unavailable', message, { cause: error })
    }
  }

  /** Checks the question, reads what there is to answer from, and keeps it. */
  async #prepare(asked: AskedSite, body: Buffer): Promise<KeptQuestion> {
    const { slug, pointer, view, site } = asked
    const { projectId, deploymentId } = pointer
    const read = parseQuestion(body, view.basePath)
    const ticket = this.#deps.tickets.verify(read.ticket, slug)
    if (ticket === undefined)
      throw new Problem('invalid-ticket', 'The ticket is not valid or has expired. Get another.', {
        param: 'ticket',
      })
    this.#admission.check(ticket.id)
    const bound = this.#deps.database.forProject(pointer)
    const { settings, answerer: wanted } = await this.#recentSettings.read(bound, {
      digest: pointer.root,
      site,
      // A preview that nobody approved is a stranger's text: it costs the owner nothing.
      asksModel: pointer.preview?.runsScripts !== false,
    })
    if (!settings.isOn) throw new Problem('not-found', 'This site has no assistant.')
    const question = settings.masks ? maskQuestion(read.question) : read.question
    const scope = view.root.search.find((place) => place.scope === read.scope)?.scope
    const library = await this.#openLibrary(asked, scope)
    const key = this.#cache.keyOf(question, {
      projectId,
      deploymentId,
      scope,
      labels: view.name,
      answerer: wanted.id,
      hasVectors: (library.vectorBytes ?? 0) > 0,
    })
    const cached = this.#cache.get(key)
    const turns = this.#turnsOf(bound)
    const turn = await this.#begin(turns, asked, {
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

  async #openLibrary({ pointer, view }: AskedSite, scope: string | undefined) {
    const { deploymentId, root: digest } = pointer
    const { root, reader } = view
    const asked = { tenant: pointer, deploymentId, digest, root, reader, scope }
    try {
      return await this.#deps.libraries.library(asked)
    } catch (error) {
      if (!(error instanceof UnreadableIndex)) throw error
      throw new Problem('unavailable', UNREADABLE, { cause: error })
    }
  }

  #turnsOf(database: ProjectDatabase): Turns {
    const store = new TurnStore(database)
    const call = <Result>(work: () => Promise<Result>) =>
      this.#calls(database.tenant.projectId, work)
    return {
      begin: (turn) => call(() => store.begin(turn)),
      renew: (turn, text) => call(() => store.renew(turn, text)),
      publish: (turn, result) => call(() => store.publish(turn, result)),
    }
  }

  async #begin(turns: Turns, asked: AskedSite, { question, settings, ...given }: BegunQuestion) {
    const { pointer } = asked
    const begun = await beginTurn(turns, {
      ...given,
      query: pointer.preview === undefined ? question.text : undefined,
      pageUrl: question.page && this.#absolute(asked, question.page.url),
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
    { turns, turn, question, library, chosen }: KeptQuestion,
    { pointer, response }: AskedSite,
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

  /** Commits the end of a question; only then may the reader know of it. */
  async #publish(kept: KeptQuestion, asked: AskedSite, result: TurnResult): Promise<EndedAnswer> {
    const { chosen, cached, isSpent } = kept
    const { text, usedTokens } = result
    const ended = endOf(result, isSpent, ({ title, url }) => ({
      title: title.slice(0, TITLE_LENGTH_MAX),
      url: this.#absolute(asked, url),
    }))
    const id = await publishTurn(kept, {
      ...ended,
      response: text,
      model: chosen.model,
      usedTokens,
      savedTokens: sumOf(cached?.outcome.usage),
      isCached: cached !== undefined,
    })
    const { projectId, deploymentId, preview } = asked.pointer
    const token = () => this.#deps.tickets.feedbackToken(projectId, id)
    const conversation = preview === undefined ? { id, token: token() } : undefined
    return { ...ended, text, deployment: deploymentId, conversation }
  }

  #absolute({ slug, view }: AskedSite, url: string): string {
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

/** When the budget is spent, the documentation still answers what it can. */
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
