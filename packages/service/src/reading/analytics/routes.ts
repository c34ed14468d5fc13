import {
  AgentList,
  DayList,
  NotFoundList,
  READERS,
  ReadList,
  ReferrerList,
  SearchList,
  UnreadPageList,
  UseList,
  ViewList,
  VisitorList,
} from '@octavo/contract'
import { z } from 'zod'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import { CountStore } from './count-store.ts'
import {
  cursor,
  cutPage,
  Dates,
  limitOf,
  offset,
  PATH,
  periodOf,
  READ,
  TAG,
} from './list-params.ts'
import { createSuggestPage, findLivePages } from './live-pages.ts'
import { findUnreadPages } from './unread-pages.ts'

const Page = Dates.extend({ limit: limitOf(100, 50), cursor })
const CountedPage = Dates.extend({ limit: limitOf(250, 50), offset, cursor })

export type EventRouteDeps = {
  readonly database: Database
  readonly cache: BlobCache | undefined
  readonly now: () => number
}

export function eventRoutes(deps: EventRouteDeps): readonly Route[] {
  return [
    listViews(deps),
    listVisitors(deps),
    listReads(deps),
    listAgents(deps),
    listDays(deps),
    listSearches(deps),
    listMissingPages(deps),
    listReferrers(deps),
    listUses(deps),
    listUnreadPages(deps),
  ]
}

const countsOf = ({ database }: EventRouteDeps, tenant: Tenant) =>
  new CountStore(database.forProject(tenant))

async function readCounted(
  deps: EventRouteDeps,
  tenant: Tenant,
  {
    event,
    query,
  }: { readonly event: 'view' | 'visitor'; readonly query: z.output<typeof CountedPage> },
) {
  const store = countsOf(deps, tenant)
  const period = periodOf(query, deps.now())
  const { limit, offset: skipped, cursor: after } = query
  const page = { after, offset: skipped, limit: limit + 1 }
  const { human, ai, bots } = await store.totals(event, period)
  const rows = await store.subjects(event, period, page)
  const { items, ...more } = cutPage(rows, limit, ({ total, subject }) => ({ total, subject }))
  return {
    totals: { human, ai, total: human + ai, bots },
    items: items.map(({ subject, last_at: _, ...counts }) => ({ path: subject, ...counts })),
    more,
  }
}

const listViews = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/views`,
    tag: TAG,
    summary: 'List page views',
    description: 'How often each page was read, by people and by agents, the most read first.',
    caller: READ,
    params: ProjectParams,
    query: CountedPage,
    reply: ViewList,
    async handle({ caller, query }) {
      const { totals, items, more } = await readCounted(deps, caller.tenant, {
        event: 'view',
        query,
      })
      return { totals, views: items, ...more }
    },
  })

const listVisitors = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/visitors`,
    tag: TAG,
    summary: 'List visitors',
    description:
      'Unique visitors of each page. Visitors are recognized within one day only; numbers above 511 are estimates.',
    caller: READ,
    params: ProjectParams,
    query: CountedPage,
    reply: VisitorList,
    async handle({ caller, query }) {
      const { totals, items, more } = await readCounted(deps, caller.tenant, {
        event: 'visitor',
        query,
      })
      return { totals, visitors: items, ...more }
    },
  })

const listReads = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/reads`,
    tag: TAG,
    summary: 'List files read by people or agents',
    description:
      'Pages, and for agents also files such as `llms.txt` and tools of the MCP server, each with its count for the same number of days before the period.',
    caller: READ,
    params: ProjectParams,
    query: Page.extend({
      by: z.enum(READERS).default('people').meta({ description: 'Who read it.' }),
    }),
    reply: ReadList,
    async handle({ caller, query }) {
      const { by, limit, cursor: after } = query
      const page = { after, limit: limit + 1 }
      const rows = await countsOf(deps, caller.tenant).reads(by, periodOf(query, deps.now()), page)
      const { items, ...more } = cutPage(rows, limit, ({ total, key }) => {
        return { total, subject: key }
      })
      const reads = items.map(({ event, subject, total, before }) => {
        return { event, name: subject, count: total, before }
      })
      return { reads, ...more }
    },
  })

const listAgents = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/agents`,
    tag: TAG,
    summary: 'List agents',
    description:
      'How often each agent read a page or a file. Agents are recognized by a fixed list of names; user agents are not stored.',
    caller: READ,
    params: ProjectParams,
    query: Dates,
    reply: AgentList,
    async handle({ caller, query }) {
      const agents = await countsOf(deps, caller.tenant).agents(periodOf(query, deps.now()))
      return { agents: [...agents] }
    },
  })

const listDays = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/days`,
    tag: TAG,
    summary: 'List days',
    description: 'Counts for each day, oldest first. Days are in UTC.',
    caller: READ,
    params: ProjectParams,
    query: Dates,
    reply: DayList,
    async handle({ caller, query }) {
      const rows = await countsOf(deps, caller.tenant).days(periodOf(query, deps.now()))
      const days = rows.map(({ not_found, empty_searches, ai_files, ai_calls, ...day }) => ({
        ...day,
        aiFiles: ai_files,
        aiCalls: ai_calls,
        emptySearches: empty_searches,
        notFound: not_found,
      }))
      return { days }
    },
  })

const listSearches = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/searches`,
    tag: TAG,
    summary: 'List searches',
    description: 'What readers searched for, the most frequent first.',
    caller: READ,
    params: ProjectParams,
    query: Page.extend({
      empty: z
        .enum(['true', 'false'])
        .default('false')
        .transform((text) => text === 'true')
        .meta({
          description:
            'Only searches that had no results at least once, ordered by how often that happened.',
        }),
    }),
    reply: SearchList,
    async handle({ caller, query }) {
      const store = countsOf(deps, caller.tenant)
      const period = periodOf(query, deps.now())
      const page = { after: query.cursor, limit: query.limit + 1 }
      const rows = await store.searches(period, page, query.empty)
      const { items, nextCursor } = cutPage(rows, query.limit, ({ rank, subject }) => {
        return { total: rank, subject }
      })
      return {
        searches: items.map(({ subject, total, empty, clicks, top_clicked, last_at }) => ({
          searchQuery: subject,
          hits: total,
          empty,
          ctr: Math.round((clicks / total) * 1_000) / 1_000,
          ...(top_clicked === null ? {} : { topClickedPage: top_clicked }),
          lastSearchedAt: last_at.toISOString(),
        })),
        totalSearches: await store.totalSearches(period),
        nextCursor,
      }
    },
  })

const listMissingPages = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/not-found`,
    tag: TAG,
    summary: 'List missing pages',
    description: 'Missing pages (404) that people and agents requested.',
    caller: READ,
    params: ProjectParams,
    query: Page,
    reply: NotFoundList,
    async handle({ caller, query }) {
      const { database, cache } = deps
      const page = { after: query.cursor, offset: 0, limit: query.limit + 1 }
      const rows = await countsOf(deps, caller.tenant).subjects(
        'not-found',
        periodOf(query, deps.now()),
        page,
      )
      const { items, ...more } = cutPage(rows, query.limit)
      const pages = cache ? await findLivePages({ database, cache }, caller.tenant) : []
      const suggest = createSuggestPage(pages)
      const notFound = items.map(({ subject, last_at, ...counts }) => ({
        path: subject,
        ...counts,
        lastSeenAt: last_at.toISOString(),
        suggestion: suggest(subject),
      }))
      return { notFound, ...more }
    },
  })

const listReferrers = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/referrers`,
    tag: TAG,
    summary: 'List referrers',
    description: 'Sites that people came from. Only the host name is stored.',
    caller: READ,
    params: ProjectParams,
    query: Page,
    reply: ReferrerList,
    async handle({ caller, query }) {
      const page = { after: query.cursor, limit: query.limit + 1 }
      const rows = await countsOf(deps, caller.tenant).referrers(periodOf(query, deps.now()), page)
      const { items, ...more } = cutPage(rows, query.limit)
      return {
        referrers: items.map(({ subject, total }) => ({ host: subject, views: total })),
        ...more,
      }
    },
  })

const listUses = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/uses`,
    tag: TAG,
    summary: 'List agent and playground activity',
    description:
      'Calls to the MCP server by tool, files for agents that were read, and playground requests by outcome.',
    caller: READ,
    params: ProjectParams,
    query: Page,
    reply: UseList,
    async handle({ caller, query }) {
      const page = { after: query.cursor, limit: query.limit + 1 }
      const rows = await countsOf(deps, caller.tenant).uses(periodOf(query, deps.now()), page)
      const { items, ...more } = cutPage(rows, query.limit, ({ total, key }) => {
        return { total, subject: key }
      })
      const uses = items.map(({ event, subject, detail, total }) => {
        return { event, name: subject, detail, count: total }
      })
      return { uses, ...more }
    },
  })

const listUnreadPages = (deps: EventRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/unread-pages`,
    tag: TAG,
    summary: 'List pages without views',
    description: 'Pages of the live site that neither people nor agents read.',
    caller: READ,
    params: ProjectParams,
    query: Page,
    reply: UnreadPageList,
    async handle({ caller, query }) {
      const { database, cache } = deps
      if (cache === undefined) return { pages: [], total: 0, nextCursor: null, hasMore: false }
      const period = periodOf(query, deps.now())
      const unread = await findUnreadPages({ database, cache }, caller.tenant, period)
      const rest = unread.filter((path) => path > (query.cursor?.subject ?? ''))
      const rows = rest.map((path) => ({ total: 0, subject: path }))
      const { items, ...more } = cutPage(rows, query.limit)
      const pages = items.map(({ subject }) => ({ path: subject }))
      return { pages, total: unread.length, ...more }
    },
  })
