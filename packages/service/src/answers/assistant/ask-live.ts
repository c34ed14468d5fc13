/**
 * Answers an owner's test question from the live site, as a reader would see the answer. It is
 * charged to the budget but, as in previews, not recorded.
 */
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
import { beginTurn, endOf, publishUnrecorded, runTurn, UNRECORDED } from './run-turn.ts'
import { AssistantSettingsStore, budgetOf } from './settings-store.ts'
import { TurnStore } from './turn-store.ts'

export const TESTS_PER_HOUR = 60

export type AskLiveDeps = {
  readonly database: Database
  readonly parts: AnswerParts
  readonly cache: BlobCache
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

export async function askLive(
  deps: AskLiveDeps,
  tenant: Tenant,
  text: string,
): Promise<AssistantAnswer> {
  const { database, parts, now, onError } = deps
  const bound = database.forProject(tenant)
  const settings = await new AssistantSettingsStore(bound).read()
  if (!settings.isOn) throw new Problem('conflict', 'The assistant of this project is off.')
  const live = await openLive(deps, tenant)
  const question = { text: settings.masks ? maskSecrets(text) : text, history: [] }
  const wanted = await parts.chooseAnswerer(bound, settings, live.site)
  const turns = new TurnStore(bound)
  const turn = await beginTurn(turns, {
    ...UNRECORDED,
    isTest: true,
    deploymentId: live.id,
    ticket: 'owner',
    ticketMax: TESTS_PER_HOUR,
    projectMax: ASSISTANT_LIMITS.questionsPerHourOfProject,
    tokens: wanted.tokensMax,
    ...budgetOf(settings, parts.budget),
  })
  if (turn.kind === 'refused')
    throw new Problem('rate-limited', 'Too many questions. Try again later.', {
      headers: { 'retry-after': '60' },
    })
  const isSpent = wanted.tokensMax > 0 && !turn.hasBudget
  // If the budget is used up, passages from the documentation are quoted and no model is called.
  const { answerer, tokensMax: tokens, model } = isSpent ? EXTRACTIVE : wanted
  const { library } = live
  const turnInput = { question, library, answerer, tokens }
  const result = await runTurn({ ...turnInput, turns, turn, isRecorded: false, onError, now })
  await publishUnrecorded({ turns, turn }, result)
  const { slug } = await new DeploymentStore(bound).project()
  const start = `${deps.siteUrlOf(slug) ?? ''}${live.basePath}`
  const toSource = ({ title, url }: AnswerSource) => ({ title, url: `${start}${url}` })
  const { status, category, ...shown } = endOf(result, isSpent, toSource)
  return {
    ...shown,
    response: result.text,
    resolutionStatus: status,
    queryCategory: category,
    model,
    usedTokens: result.usedTokens,
    deployment: live.id,
  }
}

async function openLive({ database, parts, cache }: AskLiveDeps, tenant: Tenant) {
  const { libraries } = parts
  const live = await createGapDeployments({ database, libraries, cache }, tenant).live()
  if (live === undefined)
    throw new Problem(
      'conflict',
      'The assistant cannot answer: no site is live, or its docs.json disables the assistant.',
    )
  return live
}
