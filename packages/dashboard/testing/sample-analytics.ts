/**
 * Samples of analytics and feedback; `hostile` is appended to every text that anonymous readers can
 * send.
 */
import {
  AgentList,
  DayList,
  Feedback,
  FeedbackList,
  FeedbackSummary,
  NotFoundList,
  PageFeedbackList,
  ReadList,
  ReferrerList,
  SearchList,
  UnreadPageList,
  UseList,
  ViewList,
  VisitorList,
} from '@octavo/contract'
import { ago, DAY, NOW, ULIDS } from './sample-facts.ts'

type Options = { readonly hostile: string; readonly isEmpty: boolean }

const WEEK = [2_310, 2_544, 2_602, 2_498, 2_187, 1_012, 874]
const NO_VOTES = { votes: 0, helpful: 0, comments: 0 }
const PAGES =
  '/ /guides/start /network/joining /guides/calibrate /api/sensors /reference/alarms /hardware/h3 /network/gateways /guides/export (other)'.split(
    ' ',
  )

export function sampleAnalytics({ hostile: h, isEmpty }: Options) {
  const list = <T>(items: readonly T[]): T[] => (isEmpty ? [] : [...items])
  const more = { nextCursor: isEmpty ? null : 'more', hasMore: !isEmpty }
  const end = { nextCursor: null, hasMore: false }
  const feedback = sampleFeedback(h)
  const totals = isEmpty
    ? { human: 0, ai: 0, total: 0, bots: 0 }
    : { human: 61_204, ai: 48_910, total: 110_114, bots: 3_982 }
  const paths = PAGES.map((path, index) => {
    const human = 9_120 - index * 870
    const ai = 7_420 - index * 655
    const name = path === '(other)' ? path : `${path}${h}`
    return { path: name, human, ai, total: human + ai, bots: 40 }
  })
  const replies: Readonly<Record<string, object>> = {
    views: ViewList.parse({ totals, views: list(paths), ...more }),
    visitors: VisitorList.parse({ totals, visitors: list(paths), ...more }),
    'not-found': NotFoundList.parse({ notFound: list(sampleNotFound(h)), ...end }),
    referrers: ReferrerList.parse({
      referrers: list([
        { host: `www.google.com${h}`, views: 18_204 },
        { host: 'github.com', views: 6_120 },
        { host: 'forum.greenhouse.example', views: 2_011 },
        { host: 'news.ycombinator.com', views: 12 },
      ]),
      ...end,
    }),
    uses: UseList.parse({ uses: list(sampleUses(h)), ...end }),
    'unread-pages': UnreadPageList.parse({
      pages: list([
        { path: `/guides/old-firmware${h}` },
        { path: '/reference/modbus-registers-of-the-first-generation-of-controllers' },
        { path: '/hardware/h1/mounting' },
      ]),
      total: isEmpty ? 0 : 9,
      ...end,
    }),
    feedback: FeedbackList.parse({
      feedback: list(feedback),
      counts: isEmpty
        ? { pending: 0, in_progress: 0, resolved: 0, dismissed: 0 }
        : { pending: 9, in_progress: 3, resolved: 58, dismissed: 4 },
      ...more,
    }),
    'feedback/summary': FeedbackSummary.parse(
      isEmpty
        ? { ...NO_VOTES, before: NO_VOTES }
        : {
            votes: 512,
            helpful: 440,
            comments: 74,
            before: { votes: 488, helpful: 410, comments: 81 },
          },
    ),
    'feedback/by-page': PageFeedbackList.parse({
      feedback: list([
        {
          path: `/network/joining${h}`,
          thumbsUp: 9,
          thumbsDown: 14,
          code: 0,
          comments: 6,
          total: 23,
        },
        {
          path: '/guides/calibrate',
          thumbsUp: 48,
          thumbsDown: 11,
          code: 2,
          comments: 7,
          total: 61,
        },
        { path: '/api/sensors', thumbsUp: 44, thumbsDown: 5, code: 9, comments: 1, total: 58 },
      ]),
      ...more,
    }),
  }
  return {
    /** Returns the response for a path, with the requested days and searches. */
    read(path: string, query: URLSearchParams): object | undefined {
      if (path === 'feedback') return ofStates(replies.feedback, query.get('status'))
      if (path === 'days') return sampleDays(query, isEmpty)
      if (path === 'feedback/by-page' && query.has('cursor'))
        return PageFeedbackList.parse({ feedback: [], ...end })
      if (path === 'agents') return sampleAgents(query, isEmpty)
      if (path === 'reads') return sampleReads(query.get('by') ?? 'people', { hostile: h, isEmpty })
      if (path === 'searches') return sampleSearches(query, { hostile: h, isEmpty })
      return replies[path]
    },
    changed: Feedback.parse(feedback[0]),
  }
}

function ofStates(reply: object | undefined, states: string | null) {
  const all = FeedbackList.parse(reply)
  const shown = all.feedback.filter(({ status }) => states?.split(',').includes(status) ?? true)
  return { ...all, feedback: shown }
}

function sampleDays(query: URLSearchParams, isEmpty: boolean) {
  const first = Date.parse(query.get('dateFrom') ?? ago(29 * DAY))
  const count = Math.floor((NOW - first) / (DAY * 60_000)) + 1
  const days = Array.from({ length: count }, (_, index) => {
    const day = new Date(first + index * DAY * 60_000)
    const daysAgo = count - 1 - index
    const usual = (WEEK[(day.getUTCDay() + 6) % 7] ?? 0) - daysAgo * 3
    const human = isEmpty ? 0 : Math.round(daysAgo === 0 ? usual * 0.4 : usual)
    return {
      day: day.toISOString().slice(0, 10),
      human,
      ai: Math.round(human * 0.8),
      aiFiles: Math.round(human * 0.175),
      aiCalls: Math.round(human * 0.12),
      bots: Math.round(human / 15),
      visitors: Math.round(human / 3),
      searches: Math.round(human / 8),
      emptySearches: Math.round(human / (120 + daysAgo)),
      notFound: Math.round(human / 90),
    }
  })
  return DayList.parse({ days })
}

/** Returns agents whose counts add up to the reads of all days. */
function sampleAgents(query: URLSearchParams, isEmpty: boolean) {
  const { days } = sampleDays(query, isEmpty)
  const calls = days.reduce((sum, { aiCalls }) => sum + aiCalls, 0)
  const reads = days.reduce((sum, { ai, aiFiles }) => sum + ai + aiFiles, 0)
  const [claude, cursor, chatGpt] = [0.62, 0.28, 0.06].map((share) => Math.round(reads * share))
  const other = reads - (claude ?? 0) - (cursor ?? 0) - (chatGpt ?? 0)
  const agents = [
    { name: 'Claude Code', count: claude },
    { name: 'Cursor', count: cursor },
    { name: 'MCP', count: calls },
    { name: 'ChatGPT', count: chatGpt },
    { name: 'Other', count: other },
  ]
  return AgentList.parse({ agents: isEmpty ? [] : agents })
}

function sampleSearches(query: URLSearchParams, { hostile: h, isEmpty }: Options) {
  const one = (searchQuery: string, hits: number, rest: object) => ({
    searchQuery: `${searchQuery}${h}`,
    hits,
    empty: 0,
    ctr: 0.412,
    lastSearchedAt: ago(hits),
    ...rest,
  })
  const searches = [
    one('calibrate', 812, { topClickedPage: `/guides/calibrate${h}` }),
    one('join key', 455, { topClickedPage: '/network/joining', empty: 3 }),
    one('lorawan class c', 210, { empty: 210, ctr: 0 }),
    one('home assistant', 96, { empty: 61, ctr: 0.031, topClickedPage: '/guides/export' }),
  ]
  const shown =
    query.get('empty') === 'true'
      ? searches.filter(({ empty }) => empty > 0).toSorted((a, b) => b.empty - a.empty)
      : searches
  return SearchList.parse({
    searches: isEmpty ? [] : shown,
    totalSearches: isEmpty ? 0 : 1_573,
    nextCursor: null,
  })
}

function sampleReads(by: string, { hostile: h, isEmpty }: Options) {
  const people = [
    ['/guides/calibrate', 6_120, 5_368],
    ['/quickstart', 5_844, 5_729],
    ['/network/gateways', 4_410, 4_046],
    ['/hardware/h3', 3_902, 4_023],
    ['/network/joining', 3_377, 0],
    ['/reference/a-page-with-a-name-that-is-far-longer-than-the-card-is-wide', 2_806, 2_778],
    ['(other)', 2_240, 2_113],
  ] as const
  const agents = [
    ['file /llms.txt', 9_204, 6_392],
    ['view /api/readings', 7_130, 5_167],
    ['view /network/joining', 4_466, 3_988],
    ['mcp search_docs', 3_640, 2_141],
    ['file /llms-full.txt', 611, 702],
  ] as const
  const rows =
    by === 'agents'
      ? agents
      : people.map(([name, ...counts]) => [`view ${name}`, ...counts] as const)
  const reads = rows.map(([what, count, before]) => {
    const [event, name = ''] = what.split(' ')
    return { event, name: name === '(other)' ? name : `${name}${h}`, count, before }
  })
  return ReadList.parse({
    reads: isEmpty ? [] : reads,
    nextCursor: isEmpty ? null : 'more',
    hasMore: !isEmpty,
  })
}

function sampleNotFound(h: string) {
  const one = (path: string, human: number, ai: number) => ({
    path: `${path}${h}`,
    human,
    ai,
    total: human + ai,
    bots: 2,
    lastSeenAt: ago(human + 1),
  })
  return [
    { ...one('/guides/join', 214, 388), suggestion: `/network/joining${h}` },
    one('/docs/api/v1/sensors.md', 0, 190),
    one('/network/gateway-setup', 88, 12),
    { ...one('', 30, 9), path: '(other)' },
  ]
}

function sampleUses(h: string) {
  return [
    { event: 'mcp', name: `search_docs${h}`, detail: `success${h}`, count: 3_640 },
    { event: 'mcp', name: 'read_page', detail: 'success', count: 3_069 },
    { event: 'mcp', name: 'get_operation', detail: 'error', count: 31 },
    { event: 'file', name: `/llms.txt${h}`, detail: 'agents', count: 9_204 },
    { event: 'file', name: '/llms-full.txt', detail: 'bots', count: 611 },
    { event: 'playground', name: `/api/sensors${h}`, detail: 'success', count: 412 },
    { event: 'playground', name: '/api/sensors', detail: 'client-error', count: 131 },
    { event: 'playground', name: '/api/sensors', detail: 'failed', count: 7 },
  ]
}

function sampleFeedback(h: string) {
  const one = (index: number, rest: object) => ({
    id: `${ULIDS.feedback.slice(0, -1)}${index}`,
    path: `/network/joining${h}`,
    createdAt: ago(index * 130),
    source: 'contextual',
    status: 'pending',
    ...rest,
  })
  return [
    one(1, {
      helpful: false,
      comment: `The table of join keys ends at 250 sensors.\nWe have 300: what do we do?${h}`,
      contact: `sofia@greenhouse.example${h}`,
    }),
    one(2, {
      source: 'code_snippet',
      status: 'in_progress',
      path: '/api/sensors',
      comment: `\`limit\` is a number here, and a string in the reference.${h}`,
      code: `const sensors = await client.sensors.list({ limit: '50' })\nfor (const sensor of sensors) console.log(sensor.id)${h}`,
      filename: `list.ts${h}`,
      lang: 'ts',
    }),
    one(3, {
      helpful: true,
      path: '/guides/calibrate',
      comment: 'Clear. The table of alarm codes is what I needed.',
    }),
    one(4, {
      source: 'agent',
      comment: `The link to the alarm codes in step 3 is broken: /reference/alarm-codes answers 404.${h}`,
    }),
    one(5, {
      helpful: false,
      status: 'dismissed',
      path: '/hardware/h3',
      comment: 'Please say how long the batteries last below 0 °C.',
    }),
  ]
}
