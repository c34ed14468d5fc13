import type { Overview } from '../contract.ts'
import type { OverviewFacts, TopQuestion } from './overview-store.ts'

const DAY_MS = 86_400_000

/** The days that were asked for, those without anything too, and the sums of these and of as many before. */
export function makeOverview(
  facts: OverviewFacts,
  more: {
    readonly dayCount: number
    readonly topQuestions: readonly TopQuestion[]
    readonly tokens: Overview['tokens']
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
    before: { questions: before.questions, answered: before.answered },
    helpful: { yes: now.helpful, no: now.unhelpful },
    openGaps: facts.openGaps,
    topQuestions: more.topQuestions.map(({ question, count, lastAskedAt }) => ({
      question,
      count,
      lastAskedAt: lastAskedAt.toISOString(),
    })),
    tokens: more.tokens,
    updatedAt: new Date(more.nowMs).toISOString(),
  }
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
