/**
 * Asks a model the question of a gap, within the project's budget. The question is not recorded.
 */
import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { GapDeployment } from '../../reading/libraries/shown-deployments.ts'
import type { AnswerParts } from '../assistant/open-assistant.ts'
import { beginTurn, publishUnrecorded, runTurn, UNRECORDED } from '../assistant/run-turn.ts'
import { AssistantSettingsStore, budgetOf } from '../assistant/settings-store.ts'
import { TurnStore } from '../assistant/turn-store.ts'

export type AskModelDeps = {
  readonly parts: Pick<AnswerParts, 'chooseAnswerer' | 'budget'>
  readonly database: ProjectDatabase
  readonly onError: (error: unknown) => void
  readonly now: () => number
  readonly signal: AbortSignal
}

/**
 * The verdict of a model. `not-asked` means that there is no model or that the budget is used up.
 */
export type ModelVerdict = 'answered' | 'unanswered' | 'not-asked'

/** All questions of gaps share one ticket, as if one reader asked them. */
const TICKET = 'gaps'
const QUESTIONS_PER_HOUR = 100
const NO_LIMIT = 2_000_000_000

export async function askModel(
  text: string,
  deployment: GapDeployment,
  deps: AskModelDeps,
): Promise<ModelVerdict> {
  const { parts, database, onError, now, signal } = deps
  const settings = await new AssistantSettingsStore(database).read()
  const { answerer, tokensMax } = await parts.chooseAnswerer(database, settings, deployment.site)
  if (!settings.isOn || tokensMax === 0) return 'not-asked'
  const turns = new TurnStore(database)
  const turn = await beginTurn(turns, {
    // Record only the cost of the question.
    ...UNRECORDED,
    deploymentId: deployment.id,
    ticket: TICKET,
    ticketMax: QUESTIONS_PER_HOUR,
    projectMax: NO_LIMIT,
    tokens: tokensMax,
    ...budgetOf(settings, parts.budget),
  })
  if (turn.kind === 'refused') return 'not-asked'
  const result = turn.hasBudget
    ? await runTurn({
        turns,
        turn,
        isRecorded: false,
        question: { text, history: [] },
        library: deployment.library,
        answerer,
        tokens: tokensMax,
        onEnd: (end) => signal.addEventListener('abort', () => end('interrupted'), { once: true }),
        onError,
        now,
      })
    : undefined
  await publishUnrecorded({ turns, turn }, result)
  if (result === undefined) return 'not-asked'
  const { outcome } = result
  // The answerer has checked that the model was shown every source that it cites.
  return outcome.status === 'answered' && outcome.sources.length > 0 ? 'answered' : 'unanswered'
}
