/**
 * Processes the gaps of one project: sorts new unanswered questions into gaps, asks gaps again in
 * the live deployment, and forecasts the effect of preview deployments. Work left when a limit is
 * reached is done in the next round.
 */
import type { SiteLibrary } from '@octavo/search'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { JobHandler } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { BlobCache } from '../../reading/hosting/blob-cache.ts'
import {
  createGapDeployments,
  type GapDeployment,
  type GapDeployments,
} from '../../reading/libraries/shown-deployments.ts'
import type { AnswerParts } from '../assistant/open-assistant.ts'
import { askAgain, hashSection } from './ask-again.ts'
import { askModel } from './ask-model.ts'
import { type AskedGap, isAnswerLost, isClosed, nextGapFacts } from './next-gap-facts.ts'
import { sortIntoGaps } from './sort-into-gaps.ts'
import { type Gap, GapStore } from './store.ts'

export const GAPS_QUEUE = 'gaps'

const GAP_LIMITS = {
  /** Questions sorted per round. */
  questions: 200,
  /** The newest gaps, which questions are compared with and which are asked again. */
  gaps: 500,
  /** Preview deployments per round. */
  previews: 20,
  /** Gaps per round for which a model is asked. */
  modelQuestions: 10,
  roundMs: 2 * 60_000,
} as const

export type GapDeps = {
  readonly database: Database
  readonly parts: AnswerParts
  readonly cache: BlobCache
  /** Triggers an update of the pull request comments. */
  readonly notifyHost: (tenant: Tenant) => Promise<void>
  readonly now: () => number
  readonly log: Log
}

type Round = {
  readonly store: GapStore
  readonly deployments: GapDeployments
  /** Deployments that wait for their vectors until a later round. */
  readonly awaited: ReadonlySet<string>
  /** True when the time of the round is up. */
  readonly isOver: () => boolean
  readonly signal: AbortSignal
}

export function createGapJob(deps: GapDeps): JobHandler {
  const { database, parts, cache, now, log } = deps
  return async ({ data: { organizationId, projectId }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    const tenant = { organizationId, projectId }
    const bound = database.forProject(tenant)
    const store = new GapStore(bound)
    const since = await store.workSince()
    if (since === undefined) return
    const deployments = createGapDeployments(
      { database, cache, libraries: parts.libraries },
      tenant,
    )
    const end = now() + GAP_LIMITS.roundMs
    const isOver = () => signal.aborted || now() > end
    const awaited = await parts.libraries.awaited(tenant)
    const round = { store, deployments, awaited, signal, isOver }
    const live = await deployments.live()
    const isSorted = await sortNewQuestions(store, live?.languages ?? [])
    const isReady = live !== undefined && !round.awaited.has(live.id)
    const isAsked = live === undefined || (isReady && (await askInLiveDeployment(round, live)))
    if (isReady) {
      const onError = (error: unknown) => log.error('asking a model for a gap failed', { error })
      await verifyWithModel(round, live, (question) =>
        askModel(question, live, { parts, database: bound, onError, now, signal }),
      )
    }
    const forecasts = await forecastPreviews(round)
    if (forecasts.made > 0) await deps.notifyHost(tenant)
    if (isSorted && isAsked && forecasts.isDone) await store.endWork(since)
  }
}

/** Returns true if no unsorted question is left. */
async function sortNewQuestions(store: GapStore, languages: readonly string[]): Promise<boolean> {
  const questions = await store.unsorted(GAP_LIMITS.questions)
  if (questions.length === 0) return true
  const gaps = await store.list({ limit: GAP_LIMITS.gaps })
  await sortIntoGaps(questions, { store, gaps, languages })
  return questions.length < GAP_LIMITS.questions
}

const ASKED_STATES = ['open', 'linked', 'likely', 'verified'] as const

/** Returns true if all gaps were asked. */
async function askInLiveDeployment(round: Round, live: GapDeployment): Promise<boolean> {
  const { store, isOver } = round
  const gaps = await store.list({ states: ASKED_STATES, limit: GAP_LIMITS.gaps })
  const earlier = createEarlierLibraries(round)
  for (const gap of gaps) {
    // Skips gaps whose questions were already asked in this deployment, by a reader or by this job.
    if (gap.checkedIn === live.id || (!isClosed(gap) && gap.openIn === live.id)) continue
    if (isOver()) return false
    const asked = await askGap(gap, live.library, { round, earlier })
    await store.change(gap, nextGapFacts(asked, live.id))
  }
  return true
}

/** Opens each library of a deployment that a gap was open in once. */
function createEarlierLibraries({ deployments }: Round) {
  const opened = new Map<string, Promise<SiteLibrary | undefined>>()
  return (id: string | null): Promise<SiteLibrary | undefined> | undefined => {
    if (id === null) return undefined
    const library = opened.get(id) ?? deployments.earlier(id)
    opened.set(id, library)
    return library
  }
}

async function askGap(
  gap: Gap,
  library: SiteLibrary,
  {
    round,
    earlier,
  }: { readonly round: Round; readonly earlier: ReturnType<typeof createEarlierLibraries> },
): Promise<AskedGap> {
  const before = await earlier(gap.openIn)
  const isFirst = gap.openIn === null
  const verdict = await askAgain(gap, { library, before, isFirst, signal: round.signal })
  const { sectionUrl } = gap
  const hasSection = sectionUrl !== null && (await hashSection(library, sectionUrl)) !== undefined
  return { gap, verdict, hasSection }
}

/** Verifies likely gaps with a model, once per deployment that made them likely. */
async function verifyWithModel(
  { store, isOver }: Round,
  live: GapDeployment,
  ask: (question: string) => ReturnType<typeof askModel>,
): Promise<void> {
  const likely = await store.list({ states: ['likely'], limit: GAP_LIMITS.gaps })
  const unsure = likely.filter(({ modelAskedIn, closedIn }) => modelAskedIn !== closedIn)
  for (const gap of unsure.slice(0, GAP_LIMITS.modelQuestions)) {
    const [question] = gap.examples
    if (question === undefined || isOver()) return
    const verdict = await ask(question)
    if (verdict === 'not-asked') return
    const facts = { ...gap, modelAskedIn: gap.closedIn }
    await store.change(
      gap,
      verdict === 'answered'
        ? {
            ...facts,
            state: 'verified',
            verifiedBy: 'model',
            closedIn: live.id,
            modelAskedIn: live.id,
          }
        : facts,
    )
  }
}

/** Previews change no gaps and call no model, because their text may be untrusted. */
async function forecastPreviews(
  round: Round,
): Promise<{ readonly made: number; readonly isDone: boolean }> {
  const { store, deployments, awaited, isOver } = round
  let made = 0
  let isDone = true
  for (const { id, name } of await deployments.previews()) {
    if ((await store.forecast(id)) !== undefined) continue
    if (awaited.has(id)) {
      isDone = false
      continue
    }
    if (isOver() || made >= GAP_LIMITS.previews) return { made, isDone: false }
    const preview = await deployments.preview(name)
    if (preview?.id !== id) continue
    const gaps = await store.list({ states: ASKED_STATES, limit: GAP_LIMITS.gaps })
    const earlier = createEarlierLibraries(round)
    const asked: AskedGap[] = []
    for (const gap of gaps) {
      if (isOver()) return { made, isDone: false }
      asked.push(await askGap(gap, preview.library, { round, earlier }))
    }
    const open = asked.filter(({ gap }) => !isClosed(gap))
    const idsOf = (some: readonly AskedGap[]) => some.map(({ gap }) => gap.id)
    await store.saveForecast(id, {
      openCount: open.length,
      likelyIds: idsOf(open.filter(({ verdict }) => verdict.kind === 'likely')),
      lostIds: idsOf(asked.filter(isAnswerLost)),
    })
    made += 1
  }
  return { made, isDone }
}
