/**
 * Processes the gaps of one project. It sorts new unanswered questions into gaps, asks the
 * questions of gaps again in the live deployment, and forecasts the effect of previews on gaps and
 * on the author's questions. If a limit is reached, the next round continues.
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
import { compareDeployments } from './compare-answers.ts'
import { labelAnswered, nameQuestion } from './compared-questions.ts'
import { type AskedGap, isAnswerLost, isClosed, nextGapFacts } from './next-gap-facts.ts'
import { sortIntoGaps } from './sort-into-gaps.ts'
import { type Gap, type GapForecast, GapStore } from './store.ts'

export const GAPS_QUEUE = 'gaps'

const GAP_LIMITS = {
  /** The maximum number of questions that are sorted per round. */
  questions: 200,
  /** The number of gaps that are processed, newest first. */
  gaps: 500,
  /** The maximum number of preview deployments per round. */
  previews: 20,
  /** The maximum number of gaps per round that a model is asked about. */
  modelQuestions: 10,
  roundMs: 2 * 60_000,
  /** The maximum time to compare the answers of one preview with those of the live deployment. */
  answersMs: 30_000,
} as const

export type GapDeps = {
  readonly database: Database
  readonly parts: AnswerParts
  readonly cache: BlobCache
  /** Updates the comments on pull requests. */
  readonly notifyHost: (tenant: Tenant) => Promise<void>
  readonly now: () => number
  readonly log: Log
}

type Round = {
  readonly store: GapStore
  readonly deployments: GapDeployments
  /**
   * The ids of deployments whose vectors are still being computed. They are processed in a later
   * round.
   */
  readonly awaited: ReadonlySet<string>
  /** Returns true if the time of the round is over. */
  readonly isOver: () => boolean
  readonly now: () => number
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
    const round = { store, deployments, awaited, signal, isOver, now }
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
    const forecasts = await forecastPreviews(round, live)
    if (forecasts.made > 0) await deps.notifyHost(tenant)
    if (isSorted && isAsked && forecasts.isDone) await store.endWork(since)
  }
}

/** Sorts questions into gaps. Returns true if no unsorted questions are left. */
async function sortNewQuestions(store: GapStore, languages: readonly string[]): Promise<boolean> {
  const questions = await store.unsorted(GAP_LIMITS.questions)
  if (questions.length === 0) return true
  const gaps = await store.list({ limit: GAP_LIMITS.gaps })
  await sortIntoGaps(questions, { store, gaps, languages })
  return questions.length < GAP_LIMITS.questions
}

const ASKED_STATES = ['open', 'linked', 'likely', 'verified'] as const

/**
 * Asks the questions of all gaps in the live deployment. Returns false if the time ran out first.
 */
async function askInLiveDeployment(round: Round, live: GapDeployment): Promise<boolean> {
  const { store, isOver } = round
  const gaps = await store.list({ states: ASKED_STATES, limit: GAP_LIMITS.gaps })
  const earlier = createEarlierLibraries(round)
  for (const gap of gaps) {
    // Skip a gap whose questions were already asked in this deployment, by a reader or by this job.
    if (gap.checkedIn === live.id || (!isClosed(gap) && gap.openIn === live.id)) continue
    if (isOver()) return false
    const asked = await askGap(gap, live.library, { round, earlier })
    await store.change(gap, nextGapFacts(asked, live.id))
  }
  return true
}

/**
 * Creates a function that opens the library of an earlier deployment, and opens each of them only
 * once.
 */
function createEarlierLibraries({ deployments }: Round) {
  const opened = new Map<string, Promise<SiteLibrary | undefined>>()
  return (id: string | null): Promise<SiteLibrary | undefined> | undefined => {
    if (id === null) return undefined
    const library = opened.get(id) ?? deployments.libraryOf(id)
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

/**
 * Asks a model to verify gaps that are likely closed. The model is asked about each gap once per
 * deployment that closed it.
 */
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

/**
 * Forecasts the effect of previews. No gap is changed and no model is called, because the text of a
 * preview may be untrusted.
 */
async function forecastPreviews(
  round: Round,
  live: GapDeployment | undefined,
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
    const questions = live && (await readComparedQuestions(store, { live, preview }))
    if (questions !== undefined && live !== undefined && awaited.has(live.id)) {
      isDone = false
      continue
    }
    const gaps = await forecastGaps(round, preview)
    if (gaps === undefined) return { made, isDone: false }
    const answers = questions && (await forecastAnswers(round, { ...questions, live, preview }))
    if (round.signal.aborted) return { made, isDone: false }
    await store.saveForecast(id, { ...gaps, ...answers })
    made += 1
  }
  return { made, isDone }
}

/** Returns undefined if the time of the round is over. */
async function forecastGaps(
  round: Round,
  preview: GapDeployment,
): Promise<GapForecast | undefined> {
  const gaps = await round.store.list({ states: ASKED_STATES, limit: GAP_LIMITS.gaps })
  const earlier = createEarlierLibraries(round)
  const asked: AskedGap[] = []
  for (const gap of gaps) {
    if (round.isOver()) return undefined
    asked.push(await askGap(gap, preview.library, { round, earlier }))
  }
  const open = asked.filter(({ gap }) => !isClosed(gap))
  const idsOf = (some: readonly AskedGap[]) => some.map(({ gap }) => gap.id)
  return {
    openCount: open.length,
    likelyIds: idsOf(open.filter(({ verdict }) => verdict.kind === 'likely')),
    lostIds: idsOf(asked.filter(isAnswerLost)),
  }
}

type Compared = { readonly live: GapDeployment; readonly preview: GapDeployment }

/** Returns the questions of authors and readers; undefined if there are none. */
async function readComparedQuestions(store: GapStore, { live, preview }: Compared) {
  const authors = (await preview.readQuestions()).map(nameQuestion)
  const readers = labelAnswered(await store.answeredQuestions(), live.basePath)
  return authors.length + readers.length === 0 ? undefined : { authors, readers }
}

type ComparedQuestions = NonNullable<Awaited<ReturnType<typeof readComparedQuestions>>>

/** The comparison has its own time, so that it ends even if every round is too short for it. */
async function forecastAnswers(
  { now, signal }: Round,
  { authors, readers, live, preview }: ComparedQuestions & Compared,
): Promise<Pick<GapForecast, 'answers' | 'readerAnswers'>> {
  const end = now() + GAP_LIMITS.answersMs
  const isOver = () => signal.aborted || now() > end
  const asked = { live: live.library, preview: preview.library, isOver }
  return {
    answers: await compareDeployments({ ...asked, questions: authors }),
    readerAnswers: await compareDeployments({ ...asked, questions: readers }),
  }
}
