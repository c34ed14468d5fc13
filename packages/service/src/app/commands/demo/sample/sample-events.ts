/** Sample counts for each of the last 30 days: views, visitors, searches, and reads by agents. */
import type { EventName } from '../../../../reading/analytics/event-buffer.ts'
import { readSample } from './read-sample.ts'
import { SAMPLE_DAYS } from './sample-conversations.ts'
import { createSampleRandom } from './sample-random.ts'

export type SampleCount = {
  /** A date such as `2026-01-31`. */
  readonly day: string
  readonly event: EventName | 'visitor'
  readonly subject: string
  readonly detail: string
  readonly count: number
}

type Weights = Readonly<Record<string, number>>

type SampleEvents = {
  /** Each page's share of all views by people. */
  readonly pages: Weights
  readonly audiences: Weights
  /** Each agent's weight in the pages and files that agents read. */
  readonly agents: Weights
  readonly referrers: Weights
  /** The daily count and the opened page of each query. A query without a page has no results. */
  readonly searches: Readonly<Record<string, readonly [count: number, page?: string]>>
  readonly missing: Weights
  readonly uses: readonly (readonly ['file' | 'mcp' | 'playground', string, string, number])[]
}

const DAY_MS = 86_400_000
const SEED = 11
/** Page views on a weekday at the end of the 30 days. */
const VIEWS_A_DAY = 420
const VIEWS_PER_VISITOR = 2.7
const WEEKEND = 0.35
/** The traffic of the first day, relative to the last day. */
const FIRST_DAY_TRAFFIC = 0.6
/** The traffic of today, which is not over yet, relative to a full day. */
const TODAY = 0.4

export function sampleEvents(nowMs: number): readonly SampleCount[] {
  const random = createSampleRandom(SEED)
  const samples = readSample<SampleEvents>('events')
  return Array.from({ length: SAMPLE_DAYS }, (_, daysAgo) => {
    const date = new Date(nowMs - daysAgo * DAY_MS)
    const day = date.toISOString().slice(0, 10)
    const share = shareOf(date, daysAgo)
    const count: Count = (event, subject, detail, mean) => ({
      day,
      event,
      subject,
      detail,
      count: random.around(mean * share),
    })
    return eventsOfDay(samples, count).filter((event) => event.count > 0)
  }).flat()
}

/** Returns the day's traffic relative to a weekday at the end of the month. */
function shareOf(date: Date, daysAgo: number): number {
  const growth = FIRST_DAY_TRAFFIC + (1 - FIRST_DAY_TRAFFIC) * (1 - daysAgo / SAMPLE_DAYS)
  const isWeekend = date.getUTCDay() % 6 === 0
  return growth * (isWeekend ? WEEKEND : 1) * (daysAgo === 0 ? TODAY : 1)
}

/** Creates a count for the day, varied randomly around `mean` times the day's traffic. */
type Count = (
  event: SampleCount['event'],
  subject: string,
  detail: string,
  mean: number,
) => SampleCount

function eventsOfDay(samples: SampleEvents, count: Count): readonly SampleCount[] {
  const views = Object.entries(samples.audiences).flatMap(([detail, audience]) =>
    Object.entries(samples.pages).map(([subject, part]) =>
      count('view', subject, detail, VIEWS_A_DAY * part * audience),
    ),
  )
  const visitors = [...views, ...totalsOf(views)]
    .filter(({ detail }) => detail !== 'bots')
    .map((view) => ({
      ...view,
      event: 'visitor' as const,
      count: Math.ceil(view.count / (view.subject === '' ? VIEWS_PER_VISITOR : 1.3)),
    }))
  const searches = Object.entries(samples.searches).flatMap(([query, [mean, page]]) => [
    count('search', query, page === undefined ? 'empty' : 'found', mean),
    ...(page === undefined ? [] : [count('search-click', query, page, mean * 0.7)]),
  ])
  const uses = samples.uses.map((use) => count(...use))
  const ofPeople = (event: 'referrer' | 'not-found', means: Weights) =>
    Object.entries(means).map(([subject, mean]) => count(event, subject, 'people', mean))
  return [
    ...views,
    ...visitors,
    ...searches,
    ...agentsOf(samples.agents, [...views, ...uses]),
    ...ofPeople('referrer', samples.referrers),
    ...ofPeople('not-found', samples.missing),
    ...uses,
  ]
}

/** Distributes the pages and files that agents read, so that the counts of the agents add up to them. */
function agentsOf(weights: Weights, counts: readonly SampleCount[]): readonly SampleCount[] {
  const read = counts.filter(({ detail }) => detail === 'agents')
  const total = read.reduce((sum, { count }) => sum + count, 0)
  const weightOfAll = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  let weightSoFar = 0
  return Object.entries(weights).flatMap(([subject, weight]) => {
    const before = Math.round((total * weightSoFar) / weightOfAll)
    weightSoFar += weight
    const count = Math.round((total * weightSoFar) / weightOfAll) - before
    return read
      .slice(0, 1)
      .map(({ day }) => ({ day, event: 'agent', subject, detail: 'view', count }) as const)
  })
}

/** Sums the views of all pages for each audience. The sums have no subject. */
function totalsOf(views: readonly SampleCount[]): readonly SampleCount[] {
  return Object.values(Object.groupBy(views, ({ detail }) => detail)).flatMap((group = []) =>
    group.slice(0, 1).map((first) => ({
      ...first,
      subject: '',
      count: group.reduce((sum, { count }) => sum + count, 0),
    })),
  )
}
