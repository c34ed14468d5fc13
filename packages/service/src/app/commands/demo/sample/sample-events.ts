/** Counts for each of the last 30 days: views, visitors, searches, and what agents read. */
import type { EventName } from '../../../../reading/analytics/event-buffer.ts'
import { SAMPLE_DAYS } from './sample-conversations.ts'
import { createSampleRandom, type SampleRandom } from './sample-random.ts'

export type SampleCount = {
  /** `2026-01-31` */
  readonly day: string
  readonly event: EventName | 'visitor'
  readonly subject: string
  readonly detail: string
  readonly count: number
}

type Weights = Readonly<Record<string, number>>

const DAY_MS = 86_400_000
const SEED = 11
/** On a weekday, at the end of the month. */
const VIEWS_A_DAY = 420
const VIEWS_PER_VISITOR = 2.7
const WEEKEND = 0.35
/** The first day has this part of the last. */
const GROWN_FROM = 0.6
/** Today is not over yet. */
const TODAY = 0.4

/** Parts of all views of people. */
const PAGES: Weights = {
  '/': 0.2,
  '/quickstart': 0.21,
  '/guides/send-email': 0.13,
  '/guides/domains': 0.12,
  '/guides/webhooks': 0.09,
  '/guides/templates': 0.08,
  '/concepts/errors': 0.05,
  '/concepts/rate-limits': 0.04,
  '/api-reference/emails/send-an-email': 0.05,
  '/help/delivery': 0.02,
  '/api-reference/emails/get-an-email': 0.01,
}
const AUDIENCES: Weights = { people: 1, agents: 0.16, bots: 0.11 }
const REFERRERS: Weights = {
  'www.google.com': 60,
  'github.com': 21,
  'news.ycombinator.com': 9,
  'stackoverflow.com': 8,
  'duckduckgo.com': 6,
  'chatgpt.com': 6,
}
/** By query: how often a day, and the page that is opened; nothing for a search without a result. */
const SEARCHES: Readonly<Record<string, readonly [count: number, page: string | undefined]>> = {
  'api key': [6, '/quickstart'],
  webhook: [5, '/guides/webhooks'],
  dkim: [4, '/guides/domains'],
  attachments: [3.5, '/guides/send-email'],
  'rate limit': [3, '/concepts/rate-limits'],
  '429': [2, '/concepts/errors'],
  'template variables': [2, '/guides/templates'],
  spam: [2, '/help/delivery'],
  invoice: [1.6, undefined],
  unsubscribe: [1.5, undefined],
  ruby: [1.2, undefined],
  saml: [1, undefined],
}
const MISSING: Weights = { '/guides/webhook': 2.5, '/docs/quickstart': 1.6, '/pricing': 1.4 }
const USES: readonly (readonly ['file' | 'mcp' | 'playground', string, string, number])[] = [
  ['file', '/llms.txt', 'agents', 9],
  ['file', '/llms-full.txt', 'agents', 3],
  ['mcp', 'search_docs', 'success', 7],
  ['mcp', 'read_page', 'success', 5],
  ['playground', '/api-reference/emails/send-an-email', 'success', 4],
]

export function sampleEvents(nowMs: number): readonly SampleCount[] {
  const random = createSampleRandom(SEED)
  return Array.from({ length: SAMPLE_DAYS }, (_, daysAgo) => {
    const date = new Date(nowMs - daysAgo * DAY_MS)
    const share = shareOf(date, daysAgo)
    return eventsOfDay(random, date.toISOString().slice(0, 10), share)
  }).flat()
}

/** How busy a day is, compared with a weekday at the end. */
function shareOf(date: Date, daysAgo: number): number {
  const growth = GROWN_FROM + (1 - GROWN_FROM) * (1 - daysAgo / SAMPLE_DAYS)
  const isWeekend = date.getUTCDay() % 6 === 0
  return growth * (isWeekend ? WEEKEND : 1) * (daysAgo === 0 ? TODAY : 1)
}

function eventsOfDay(random: SampleRandom, day: string, share: number): readonly SampleCount[] {
  const views = Object.entries(AUDIENCES).flatMap(([detail, audience]) =>
    Object.entries(PAGES).map(([subject, part]) => ({
      day,
      event: 'view' as const,
      subject,
      detail,
      count: random.around(VIEWS_A_DAY * part * audience * share),
    })),
  )
  const visitors = [...views, ...totalsOf(views)]
    .filter(({ detail }) => detail !== 'bots')
    .map((view) => ({
      ...view,
      event: 'visitor' as const,
      count: Math.ceil(view.count / (view.subject === '' ? VIEWS_PER_VISITOR : 1.3)),
    }))
  const count = (event: SampleCount['event'], subject: string, detail: string, mean: number) => ({
    day,
    event,
    subject,
    detail,
    count: random.around(mean * share),
  })
  const searches = Object.entries(SEARCHES).flatMap(([query, [mean, page]]) => [
    count('search', query, page === undefined ? 'empty' : 'found', mean),
    ...(page === undefined ? [] : [count('search-click', query, page, mean * 0.7)]),
  ])
  return [
    ...views,
    ...visitors,
    ...searches,
    ...Object.entries(REFERRERS).map(([host, mean]) => count('referrer', host, 'people', mean)),
    ...Object.entries(MISSING).map(([path, mean]) => count('not-found', path, 'people', mean)),
    ...USES.map(([event, subject, detail, mean]) => count(event, subject, detail, mean)),
  ].filter((event) => event.count > 0)
}

/** Events of the site as a whole have no subject. */
function totalsOf(views: readonly SampleCount[]): readonly SampleCount[] {
  return Object.values(Object.groupBy(views, ({ detail }) => detail)).flatMap((group = []) =>
    group.slice(0, 1).map((first) => ({
      ...first,
      subject: '',
      count: group.reduce((sum, { count }) => sum + count, 0),
    })),
  )
}
