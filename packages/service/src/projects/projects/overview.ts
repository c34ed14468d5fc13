import type { Overview } from '@octavo/contract'
import { ulidMs } from '../../platform/ulid.ts'
import { showFailedBuild } from './list-routes.ts'
import type { AskedQuestion, OverviewFacts } from './overview-store.ts'

const DAY_MS = 86_400_000
const TOP_QUESTIONS_MAX = 5

/**
 * Combines the requested days, including empty ones, with their sums and those of the previous
 * period.
 */
export function makeOverview(
  facts: OverviewFacts,
  more: {
    readonly dayCount: number
    /** The latest questions, newest first. */
    readonly questions: readonly AskedQuestion[]
    readonly tokens: Overview['tokens']
    /** False if the caller may not read feedback. */
    readonly seesFeedback: boolean
    readonly nowMs: number
  },
): Overview {
  const { dayCount } = more
  const first = dayBefore(facts.today, dayCount - 1)
  const counts = new Map(facts.days.map((day) => [day.day, day]))
  const deployments = new Map(facts.deployments.map(({ day, count }) => [day, count]))
  const days = Array.from({ length: dayCount }, (_, index) => {
    const day = dayBefore(facts.today, dayCount - 1 - index)
    const { answered = 0, unanswered = 0 } = counts.get(day) ?? {}
    return { day, answered, unanswered, deployments: deployments.get(day) ?? 0 }
  })
  const now = sumOf(facts.days.filter(({ day }) => day >= first))
  const before = sumOf(facts.days.filter(({ day }) => day < first))
  return {
    days,
    questions: now.questions,
    answered: now.answered,
    before: {
      questions: before.questions,
      answered: before.answered,
      helpful: { yes: before.helpful, no: before.unhelpful },
    },
    helpful: { yes: now.helpful, no: now.unhelpful },
    openGaps: facts.openGaps,
    gapQuestions: facts.gapQuestions,
    failedBuild: showFailure(facts.failedBuild),
    previous: facts.previous,
    attention: showAttention(facts.attention, more.seesFeedback),
    topQuestions: topQuestions(more.questions),
    tokens: more.tokens,
    updatedAt: new Date(more.nowMs).toISOString(),
  }
}

function showFailure(build: OverviewFacts['failedBuild']): Overview['failedBuild'] {
  if (build === null) return null
  const { reason, problems } = build
  return {
    ...showFailedBuild(build),
    ...(reason !== null && { reason }),
    problems: problems.map(({ line, ...problem }) =>
      line === null ? problem : { ...problem, line },
    ),
  }
}

function showAttention(
  { comments, expiring, ...others }: OverviewFacts['attention'],
  seesFeedback: boolean,
): Overview['attention'] {
  return {
    connection: others.connection,
    domains: [...others.domains],
    comments: seesFeedback ? comments : null,
    expiring: expiring.map((one) => ({
      ...one,
      expiresAt: new Date(one.expiresAt).toISOString(),
    })),
  }
}

/** Returns the most frequent questions; of equally frequent ones, the latest comes first. */
function topQuestions(questions: readonly AskedQuestion[]): Overview['topQuestions'] {
  const groups = new Map<string, { count: number; readonly newest: AskedQuestion }>()
  for (const question of questions) {
    const key = question.text
      .toLowerCase()
      .replaceAll(/[\s?!.]+/g, ' ')
      .trim()
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { count: 1, newest: question })
    else known.count += 1
  }
  return [...groups.values()]
    .toSorted((a, b) => b.count - a.count)
    .slice(0, TOP_QUESTIONS_MAX)
    .map(({ count, newest }) => ({
      question: newest.text.trim(),
      count,
      lastAskedAt: new Date(ulidMs(newest.id)).toISOString(),
    }))
}

const dayBefore = (day: string, count: number) =>
  new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10)

function sumOf(days: OverviewFacts['days']) {
  const total = (key: 'answered' | 'unanswered' | 'helpful' | 'unhelpful') =>
    days.reduce((sum, day) => sum + day[key], 0)
  const answered = total('answered')
  return {
    questions: answered + total('unanswered'),
    answered,
    helpful: total('helpful'),
    unhelpful: total('unhelpful'),
  }
}
