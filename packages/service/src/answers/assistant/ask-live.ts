/**
 * A question of an owner who tries the assistant: answered from the live site as a reader would be, and
 * counted against the budget. As with previews, nothing of it is recorded.
 */
import { randomBytes } from 'node:crypto'
import type { AssistantAnswer } from '@octavo/contract'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import type { AnswerSource } from '@octavo/search'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import type { BlobCache } from '../../reading/hosting/blob-cache.ts'
import { createGapDeployments } from '../../reading/libraries/shown-deployments.ts'
import { EXTRACTIVE } from './choose-answerer.ts'
import type { AnswerParts } from './open-assistant.ts'
import { publishTurn, runTurn } from './run-turn.ts'
import { createAssistantSettings } from './settings-store.ts'
import { createTurnStore } from './turn-store.ts'

export const TESTS_PER_HOUR = 60
const SOURCES_MAX = 50
const LEASE_BYTES = 16

export type AskLiveDeps = {
  readonly database: Database
  readonly parts: AnswerParts
  readonly cache: BlobCache
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

export function createAskLive(deps: AskLiveDeps) {
  const { database, parts, cache, now, onError } = deps

  return async function askLive(tenant: Tenant, text: string): Promise<AssistantAnswer> {
    const bound = database.forProject(tenant)
    const settings = await createAssistantSettings(bound).read()
    if (!settings.isOn) throw new Problem('conflict', 'The assistant of this project is off.')
    const { libraries } = parts
    const live = await createGapDeployments({ database, libraries, cache }, tenant).live()
    if (live === undefined)
      throw new Problem(
        'conflict',
        'There is nothing to ask: no site is live, or its docs.json turns the assistant off.',
      )
    const question = { text: settings.masks ? maskSecrets(text) : text, history: [] }
    const wanted = await parts.chooseAnswerer(bound, settings, live.site)
    const turns = createTurnStore(bound)
    const lease = randomBytes(LEASE_BYTES).toString('base64url')
    const begun = await turns.begin({
      query: undefined,
      threadId: undefined,
      pageUrl: undefined,
      deploymentId: live.id,
      lease,
      ticket: 'owner',
      ticketMax: TESTS_PER_HOUR,
      projectMax: ASSISTANT_LIMITS.questionsPerHourOfProject,
      tokens: wanted.tokensMax,
      tokensPerDay: settings.tokensPerDay ?? parts.budget.tokensPerDay,
      tokensPerMonth: settings.tokensPerMonth ?? parts.budget.tokensPerMonth,
    })
    if (begun.kind === 'refused')
      throw new Problem('rate-limited', 'Too many questions. Try again later.', {
        headers: { 'retry-after': '60' },
      })
    const isSpent = wanted.tokensMax > 0 && !begun.hasBudget
    // When the budget is spent, the documentation still answers what it can.
    const chosen = isSpent ? EXTRACTIVE : wanted
    const turn = { id: begun.id, lease }
    const result = await runTurn({
      turns,
      turn,
      isRecorded: false,
      question,
      library: live.library,
      answerer: chosen.answerer,
      tokens: chosen.tokensMax,
      give: async () => {},
      onEnd: () => {},
      onError,
      now,
    })
    const { slug } = await new DeploymentStore(bound).project()
    const start = `${deps.siteUrlOf(slug) ?? ''}${live.basePath}`
    const toSource = ({ title, url }: AnswerSource) => ({ title, url: `${start}${url}` })
    const { outcome } = result
    const reason =
      outcome.status === 'unanswered' ? (isSpent ? 'budget' : outcome.reason) : undefined
    const sources = outcome.sources.slice(0, SOURCES_MAX).map(toSource)
    const nearest = outcome.nearest.slice(0, SOURCES_MAX).map(toSource)
    await publishTurn(
      { turns, turn },
      {
        response: '',
        sources: [],
        status: outcome.status,
        nearest: [],
        usedTokens: result.usedTokens,
        savedTokens: 0,
        isCached: false,
      },
    )
    return {
      response: result.text,
      resolutionStatus: outcome.status,
      reason,
      queryCategory: outcome.category,
      sources,
      nearest,
      model: chosen.model,
      usedTokens: result.usedTokens,
      deployment: live.id,
    }
  }
}
export type AskLive = ReturnType<typeof createAskLive>
