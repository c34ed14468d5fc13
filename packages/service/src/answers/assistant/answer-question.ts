/**
 * Answers one question of a reader. It is kept before a model is asked, and its end is committed before
 * the reader is told of it; without the database nobody is asked.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import {
  type Answerer,
  type AnswerSource,
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
import type {
  DeploymentLibraries,
  DeploymentView,
} from '../../reading/libraries/deployment-libraries.ts'
import type { SiteSettings } from '../../reading/libraries/site-settings.ts'
import { createAdmission } from './admit-questions.ts'
import { type CachedAnswer, createAnswerCache } from './answer-cache.ts'
import { type AnswerWriter, createAnswerWriter } from './answer-writer.ts'
import type { AssistantRequest } from './assistant.ts'
import { type AnswererChooser, type ChosenAnswerer, EXTRACTIVE } from './choose-answerer.ts'
import { parseQuestion } from './read-question.ts'
import { createRecentSettings } from './recent-settings.ts'
import { LostLease, publishTurn, runTurn, type TurnResult } from './run-turn.ts'
import type { AssistantSettings } from './settings-store.ts'
import type { Ticket, Tickets } from './ticket.ts'
import { type LeasedTurn, TurnStore, type Turns } from './turn-store.ts'

export type AnswerDeps = {
  readonly database: Database
  readonly libraries: DeploymentLibraries
  readonly chooseAnswerer: AnswererChooser
  readonly tickets: Tickets
  /** Of projects that have set none. */
  readonly budget: Pick<AssistantSettings, 'tokensPerDay' | 'tokensPerMonth'>
  /** The origin of a site, as browsers know it. */
  readonly originOf: (slug: string) => string
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

type AskedSite = AssistantRequest & { readonly site: SiteSettings }

const SOURCES_MAX = 50
const TITLE_LENGTH_MAX = 500
const LEASE_BYTES = 16
/** A question takes about 4 ms of the processor until the model is asked; readers need it too. */
const PREPARED_AT_ONCE = { atOnce: 4, atOnceOfProject: 2, everyMs: 8 }
const UNREADABLE =
  'The search index of this deployment cannot be read. The owner has to deploy the site again.'
/** The lock of a project lets one of them through at a time. */
const CALLS_OF_PROJECT = 2

export function createQuestionAnswerer(deps: AnswerDeps) {
  const { database, libraries, tickets, now, onError } = deps
  const cache = createAnswerCache(now)
  const admission = createAdmission(now)
  const recentSettings = createRecentSettings(deps.chooseAnswerer, now)
  const preparing = createFairQueue(PREPARED_AT_ONCE)
  // Half of the connections stay free for everybody else. A question waits here as long as it takes;
  // those who wait for the pool are sent away after two seconds.
  const calls = createFairQueue({
    atOnce: Math.max(1, Math.floor(database.pool.options.max / 2)),
    atOnceOfProject: CALLS_OF_PROJECT,
  })
  const ends = new Set<(reason: UnansweredReason) => void>()
  let isStopping = false

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedSite,
  ): Promise<void> {
    const { projectId } = asked.pointer
    admission.check(projectId)
    await admission.run(projectId, () => ask(request, response, asked))
  }

  function turnsOf(pointer: AskedSite['pointer']): Turns {
    const store = new TurnStore(database.forProject(pointer))
    const { projectId } = pointer
    return {
      begin: (turn) => calls(projectId, () => store.begin(turn)),
      renew: (turn, text) => calls(projectId, () => store.renew(turn, text)),
      publish: (turn, result) => calls(projectId, () => store.publish(turn, result)),
    }
  }

  async function ask(
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedSite,
  ): Promise<void> {
    const { pointer } = asked
    // A slow sender keeps nobody waiting, and many senders at once are understood one after the other.
    const body = await readBody(request)
    const prepared = await preparing(pointer.projectId, async () => {
      // Others may have been refused, or the reader may have left, while this one waited.
      admission.check(pointer.projectId)
      if (isStopping) throw new Problem('unavailable', 'The service is restarting. Ask again.')
      return response.destroyed ? undefined : prepare(asked, body)
    })
    if (prepared === undefined) return
    const { question, library, turns, turn, cached, key, isSpent, wanted } = prepared
    const chosen = choose({ cached, isSpent, wanted })
    const writer = createAnswerWriter(request, response)
    writer.start(turn.id)
    let end: ((reason: UnansweredReason) => void) | undefined
    try {
      const result = await runTurn({
        turns,
        turn,
        isRecorded: pointer.preview === undefined,
        question,
        library,
        answerer: chosen.answerer,
        tokens: chosen.tokensMax,
        give: writer.give,
        onEnd(endTurn) {
          end = endTurn
          ends.add(endTurn)
          response.once('close', () => endTurn('stopped'))
          if (response.destroyed) endTurn('stopped')
        },
        onError,
        now,
      })
      if (cached === undefined && !isSpent) cache.set(key, { ...result, model: chosen.model })
      await finish({ asked, turns, turn, chosen, cached, isSpent, writer }, result)
    } catch (error) {
      if (!(error instanceof LostLease)) onError(error)
      const message = 'The answer was interrupted. Please ask again.'
      if (!writer.fail(message)) throw new Problem('unavailable', message, { cause: error })
    } finally {
      if (end !== undefined) ends.delete(end)
    }
  }

  /** Checks the question, reads what there is to answer from, and keeps it. */
  async function prepare(asked: AskedSite, body: Buffer) {
    const { slug, pointer, view, site } = asked
    const read = parseQuestion(body, view.basePath)
    const ticket = tickets.verify(read.ticket, slug)
    if (ticket === undefined)
      throw new Problem('invalid-ticket', 'The ticket is not valid or has expired. Get another.', {
        param: 'ticket',
      })
    admission.check(ticket.id)
    const { settings, answerer: wanted } = await recentSettings(database.forProject(pointer), {
      digest: pointer.root,
      site,
      // A preview that nobody approved is a stranger's text: it costs the owner nothing.
      asksModel: pointer.preview?.runsScripts !== false,
    })
    if (!settings.isOn) throw new Problem('not-found', 'This site has no assistant.')
    const question = settings.masks ? maskQuestion(read.question) : read.question
    const scope = view.root.search.find((place) => place.scope === read.scope)?.scope
    const library = await openLibrary({
      tenant: pointer,
      deploymentId: pointer.deploymentId,
      digest: pointer.root,
      root: view.root,
      reader: view.reader,
      scope,
    })
    const key = cache.keyOf(question, {
      projectId: pointer.projectId,
      deploymentId: pointer.deploymentId,
      scope,
      labels: view.name,
      answerer: wanted.id,
      hasVectors: (library.vectorBytes ?? 0) > 0,
    })
    const cached = cache.get(key)
    const turns = turnsOf(pointer)
    const { turn, hasBudget } = await begin(turns, {
      asked,
      question,
      threadId: read.threadId,
      ticket,
      tokens: cached === undefined ? wanted.tokensMax : 0,
      settings,
    })
    const isSpent = cached === undefined && wanted.tokensMax > 0 && !hasBudget
    return { question, library, turns, turn, cached, key, isSpent, wanted }
  }

  async function openLibrary(view: DeploymentView): Promise<SiteLibrary> {
    try {
      return await libraries.library(view)
    } catch (error) {
      if (!(error instanceof UnreadableIndex)) throw error
      throw new Problem('unavailable', UNREADABLE, { cause: error })
    }
  }

  type Beginning = {
    readonly asked: AskedSite
    readonly question: Question
    readonly threadId: string | undefined
    readonly ticket: Ticket
    readonly tokens: number
    readonly settings: AssistantSettings
  }

  async function begin(turns: Turns, beginning: Beginning) {
    const { asked, question, threadId, ticket, tokens, settings } = beginning
    const { pointer } = asked
    const lease = randomBytes(LEASE_BYTES).toString('base64url')
    const begun = await turns.begin({
      query: pointer.preview === undefined ? question.text : undefined,
      threadId,
      pageUrl: question.page && absolute(asked, question.page.url),
      deploymentId: pointer.deploymentId,
      lease,
      ticket: ticket.id,
      ticketMax: ASSISTANT_LIMITS.questionsPerTicket,
      projectMax: ASSISTANT_LIMITS.questionsPerHourOfProject,
      tokens,
      tokensPerDay: settings.tokensPerDay ?? deps.budget.tokensPerDay,
      tokensPerMonth: settings.tokensPerMonth ?? deps.budget.tokensPerMonth,
    })
    if (begun.kind === 'begun') return { turn: { id: begun.id, lease }, hasBudget: begun.hasBudget }
    throw begun.by === 'ticket'
      ? admission.refuseTicket(ticket.id)
      : admission.refuseProject(pointer.projectId)
  }

  type Finishing = {
    readonly asked: AskedSite
    readonly turns: Turns
    readonly turn: LeasedTurn
    readonly chosen: ChosenAnswerer
    readonly cached: CachedAnswer | undefined
    readonly isSpent: boolean
    readonly writer: AnswerWriter
  }

  async function finish(finishing: Finishing, result: TurnResult): Promise<void> {
    const { asked, turns, turn, chosen, cached, isSpent, writer } = finishing
    const { text, outcome, usedTokens } = result
    const { pointer } = asked
    const toSource = ({ title, url }: AnswerSource) => ({
      title: title.slice(0, TITLE_LENGTH_MAX),
      url: absolute(asked, url),
    })
    const ended = {
      status: outcome.status,
      reason: reasonOf(outcome, isSpent),
      category: outcome.category,
      sources: outcome.sources.slice(0, SOURCES_MAX).map(toSource),
      nearest: outcome.nearest.slice(0, SOURCES_MAX).map(toSource),
    }
    const id = await publishTurn(
      { turns, turn },
      {
        ...ended,
        response: text,
        model: chosen.model,
        usedTokens,
        savedTokens: cached === undefined ? 0 : cache.costOf(cached),
        isCached: cached !== undefined,
      },
    )
    const { projectId, deploymentId, preview } = pointer
    const conversation =
      preview === undefined ? { id, token: tickets.feedbackToken(projectId, id) } : undefined
    writer.end({ ...ended, text, deployment: deploymentId, conversation })
  }

  function absolute({ slug, view }: AskedSite, url: string): string {
    return new URL(`${deps.originOf(slug)}${view.basePath}${url}`).href
  }

  return {
    answer,
    running: admission.running,
    async stop() {
      isStopping = true
      for (const end of ends) end('interrupted')
      await admission.settled()
    },
  }
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

function reasonOf(outcome: TurnResult['outcome'], isSpent: boolean): UnansweredReason | undefined {
  if (outcome.status === 'answered') return undefined
  return isSpent && outcome.reason !== 'stopped' ? 'budget' : outcome.reason
}
