/** `/projects/:id/analytics`: what people and agents read, searched for and did not find. */
import { UseList } from '@octavo/contract'
import { card, cardHead, emptyState, pageHead } from '../../parts/card.ts'
import { chartLegend, dayChart, dayTable } from '../../parts/chart.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { countOf } from '../../parts/number.ts'
import { firstDay, rangeForm, readRange } from '../../parts/range.ts'
import { pager } from '../../parts/table.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { ApiFailure, readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { type Days, readDays, sumOf, viewChart, viewStatistics } from './days.ts'
import {
  ALL_LISTS,
  type AnalyticsList,
  EMPTY_SEARCHES,
  NOT_FOUND,
  PAGES,
  REFERRERS,
  SEARCHES,
  UNREAD,
  USES,
  useTable,
} from './lists.ts'

const SHOWN = 10
const USES_READ = 100

export async function showAnalytics(screen: ProjectScreen): Promise<Response> {
  const { url, now, options } = screen
  const days = readRange(url)
  const query = { dateFrom: firstDay(days, now) }
  const usesPath = USES.pathOf(screen, { ...query, limit: USES_READ })
  const [counted, { uses }, pages, unread, searches, emptySearches, notFound, referrers] =
    await Promise.all([
      readDays(screen, days),
      readApi(screen.visit.api, UseList, usesPath),
      ...[PAGES, UNREAD, SEARCHES, EMPTY_SEARCHES, NOT_FOUND, REFERRERS].map((list) =>
        listCard(screen, list, days),
      ),
    ])
  const isEmpty = counted.shown.every(
    ({ human, ai, bots, searches: searched, notFound: missed }) =>
      human + ai + bots + searched + missed === 0,
  )
  const kinds = (event: 'mcp' | 'file' | 'playground') => uses.filter((use) => use.event === event)
  const cards = html`
    ${viewStatistics(counted)}
    ${viewsCard(counted, days)}
    <div class="grid two">${pages}${unread}</div>
    <div class="grid two">${searches}${emptySearches}</div>
    ${notFound}
    <div class="grid two">
      ${usesCard(screen, {
        title: 'MCP tools',
        text: 'Tools of the MCP server that agents call appear here.',
        uses: kinds('mcp'),
        days,
      })}
      ${usesCard(screen, {
        title: 'Files for agents',
        text: 'Files such as llms.txt that are read appear here.',
        uses: kinds('file'),
        days,
      })}
    </div>
    <div class="grid two">
      ${referrers}
      ${usesCard(screen, {
        title: 'Playgrounds',
        text: 'Requests that readers send from pages of your API appear here, by outcome.',
        uses: kinds('playground'),
        days,
      })}
    </div>
  `
  const same = [apiPaths.analytics(screen.project.id, '/days', query), PAGES.pathOf(screen, query)]
  return projectPage(screen, {
    section: 'analytics',
    title: 'Analytics',
    body: html`
      ${pageHead({
        title: 'Analytics',
        lead: 'What people and agents read, searched for and missed. Readers are not tracked: there are no cookies, and no addresses are kept.',
        actions: rangeForm(days),
      })}
      ${isEmpty && uses.length === 0 ? nothing(screen, days) : cards}
      ${equivalentCommands(...same.map((path) => curlCommand({ url: options.url, path })))}
    `,
  })
}

function nothing({ site }: ProjectScreen, days: number): Html {
  const first =
    site.live === null
      ? 'Nothing is live yet. As soon as it is, each page that people and agents open counts here within seconds.'
      : 'Each page that people and agents open on the live site counts here within seconds; previews do not count.'
  return html`
    <section class="card">
      ${emptyState(
        `Nothing was read in the last ${days} days`,
        html`
          ${first} To count nothing at all,
          set <code>integrations.telemetry.enabled</code> to <code>false</code> in docs.json.
        `,
      )}
    </section>
  `
}

function viewsCard(counted: Days, days: number): Html {
  const chart = viewChart(counted)
  const bots = sumOf(counted.shown, 'bots')
  const note =
    bots > 0 &&
    html`<span class="end">${countOf(bots, 'view')} by search engines and other programs not included</span>`
  return html`
    <section class="card">
      ${cardHead(html`<span id="views">Views, last ${days} days</span>`, chartLegend(chart))}
      ${dayChart(chart, 'views')}
      <div class="card-foot">${dayTable(chart)}${note}</div>
    </section>
  `
}

/** Renders the first entries of a list, with a link to all. */
async function listCard(screen: ProjectScreen, list: AnalyticsList, days: number): Promise<Html> {
  const query = { dateFrom: firstDay(days, screen.now), limit: SHOWN }
  const { body, nextCursor } = await list.read(screen, query)
  return card({
    title: list.title,
    aside: nextCursor === null ? body && list.hint : allLink(screen, list, days),
    isFlush: true,
    body: body ?? emptyState(...list.empty),
    foot: nextCursor === null ? undefined : list.hint,
  })
}

const allLink = ({ path }: ProjectScreen, { id, title }: AnalyticsList, days: number) =>
  html`<a class="link" href="${path(`analytics/${id}?days=${days}`)}">All<span class="sr-only"> of: ${title}</span></a>`

type UsesCard = {
  readonly title: string
  readonly text: string
  readonly uses: ReturnType<typeof UseList.parse>['uses']
  readonly days: number
}

function usesCard(screen: ProjectScreen, { title, text, uses, days }: UsesCard): Html {
  return card({
    title,
    aside: uses.length > SHOWN && allLink(screen, USES, days),
    isFlush: true,
    body: uses.length === 0 ? emptyState('None', text) : useTable(uses.slice(0, SHOWN), title),
  })
}

/** `/projects/:id/analytics/:list`: all entries of one list. */
export async function showAnalyticsList(screen: ProjectScreen, id: string): Promise<Response> {
  const list = ALL_LISTS.find((one) => one.id === id)
  if (list === undefined)
    throw new ApiFailure({ status: 404, code: 'not-found', detail: 'There is no such list.' })
  const { url, now, options, path } = screen
  const days = readRange(url)
  const query = {
    dateFrom: firstDay(days, now),
    cursor: url.searchParams.get('cursor') ?? undefined,
  }
  const { body, nextCursor } = await list.read(screen, query)
  const note: HtmlPart = pager(url, {
    nextCursor,
    note: `Last ${days} days`,
    words: ['First', 'Next'],
  })
  return projectPage(screen, {
    section: 'analytics',
    title: list.title,
    body: html`
      ${pageHead({
        title: list.title,
        lead: list.lead,
        back: { href: path(`analytics?days=${days}`), label: 'Analytics' },
        actions: rangeForm(days),
      })}
      <section class="card" aria-label="${list.title}">${body ?? emptyState(...list.empty)}${note}</section>
      ${equivalentCommands(curlCommand({ url: options.url, path: list.pathOf(screen, query) }))}
    `,
  })
}
