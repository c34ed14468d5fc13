/** Sample counts for each of the last 30 days: views, visitors, searches, and reads by agents. */
import type { EventName } from '../../../../reading/analytics/event-buffer.ts'
import { readSample } from './read-sample.ts'
import { SAMPLE_DAYS } from './sample-conversations.ts'
import { createSampleRandom } from './sample-random.ts'

export type SampleCount = {
  /** `2026-01-31` */
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
  /** Daily reads of each agent. */
  readonly agents: Weights
  readonly referrers: Weights
  /** Daily count and opened page by query; without a page, the search has no results. */
  readonly searches: Readonly<Record<string, readonly [count: number, page?: string]>>
  readonly missing: Weights
  readonly uses: readonly (readonly ['file' | 'mcp' | 'playground', string, string, number])[]
}

const DAY_MS = 86_400_000
const SEED = 11
/** Views on a weekday at the end of the month. */
const VIEWS_A_DAY = 420
const VIEWS_PER_VISITOR = 2.7
const WEEKEND = 0.35
/** The traffic of the first day, relative to the last. */
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

/** Creates a count for the day, varied randomly around the mean of a busy day. */
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
  const agents = Object.entries(samples.agents).map(([name, mean]) =>
    count('agent', name, 'view', mean),
  )
  const ofPeople = (event: 'referrer' | 'not-found', means: Weights) =>
    Object.entries(means).map(([subject, mean]) => count(event, subject, 'people', mean))
  return [
    ...views,
    ...visitors,
    ...searches,
    ...agents,
    ...ofPeople('referrer', samples.referrers),
    ...ofPeople('not-found', samples.missing),
    ...samples.uses.map((use) => count(...use)),
  ]
}

/** Sums the views of all pages. Counts for the whole site have no subject. */
function totalsOf(views: readonly SampleCount[]): readonly SampleCount[] {
  return Object.values(Object.groupBy(views, ({ detail }) => detail)).flatMap((group = []) =>
    group.slice(0, 1).map((first) => ({
      ...first,
      subject: '',
      count: group.reduce((sum, { count }) => sum + count, 0),
    })),
  )
}
