/** `/projects/:id/analytics`: what people and agents read, searched for and did not find. */
import { ReferrerList, SearchList, UseList, ViewList } from '@octavo/contract'
import { card, cardHead, emptyState, pageHead } from '../../parts/card.ts'
import { chartLegend, dayChart, dayTable, type Rank, rankList } from '../../parts/chart.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { group } from '../../parts/group.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { countOf } from '../../parts/number.ts'
import { firstDay, rangeForm, readRange } from '../../parts/range.ts'
import { pager } from '../../parts/table.ts'
import { shortDay } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { ApiFailure, readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { gapRanks, readOpenGaps } from '../gaps/ranks.ts'
import { type Days, readDays, sumOf, viewChart, viewStatistics } from './days.ts'
import { CSV_ENDING, csvButton, exportList, exportMenu } from './export.ts'
import { firstViews } from './first-views.ts'
import {
  ALL_LISTS,
  type AnalyticsList,
  EMPTY_SEARCHES,
  NOT_FOUND,
  PAGES,
  REFERRERS,
  SEARCHES,
  USES,
  useTable,
} from './lists.ts'
import { agentsCard, peopleCard, readsPath } from './reads.ts'

type Use = ReturnType<typeof UseList.parse>['uses'][number]

const SHOWN = 7
const USES_READ = 100
/** The longest period that the API accepts. */
const DAYS_MAX = 800

export async function showAnalytics(screen: ProjectScreen): Promise<Response> {
  const { visit, url, options } = screen
  const days = readRange(url)
  const usesPath = USES.pathOf(screen, { ...rangeOf(screen, days), limit: USES_READ })
  const [counted, { uses }] = await Promise.all([
    readDays(screen, days),
    readApi(visit.api, UseList, usesPath),
  ])
  const hasViews = !isEmpty(counted) || uses.some(({ detail }) => detail !== 'bots')
  const isNew = !hasViews && !(await hadViews(screen))
  const body = hasViews ? await withViews(screen, { days, counted, uses }) : noViews(days)
  return projectPage(screen, {
    section: 'analytics',
    title: 'Analytics',
    body: html`
      ${pageHead({
        title: 'Analytics',
        lead: 'What people and agents read, searched for and did not find. No cookies; readers are not tracked.',
        actions: !isNew && html`${rangeForm(days)}${hasViews && exportMenu(screen, days)}`,
      })}
      ${isNew ? await firstViews(screen) : body}
      ${equivalentCommands(...samplePaths(screen, days).map((path) => curlCommand({ url: options.url, path })))}
    `,
  })
}

const rangeOf = ({ now }: ProjectScreen, days: number) => ({ dateFrom: firstDay(days, now) })

const samplePaths = (screen: ProjectScreen, days: number) => [
  apiPaths.analytics(screen.project.id, '/days', rangeOf(screen, days)),
  readsPath(screen, days, 'people'),
]

/**
 * Checks whether readers did nothing on these days. Requests from search engines and monitors do
 * not count.
 */
const isEmpty = ({ shown }: Days) =>
  shown.every(({ human, ai, searches, notFound }) => human + ai + searches + notFound === 0)

async function hadViews(screen: ProjectScreen): Promise<boolean> {
  const path = PAGES.pathOf(screen, { ...rangeOf(screen, DAYS_MAX), limit: 1 })
  const { views } = await readApi(screen.visit.api, ViewList, path)
  return views.some(({ total }) => total > 0)
}

const noViews = (days: number): Html => html`
  <section class="card">
    ${emptyState(
      `No views in the last ${days} days`,
      'Choose a longer period above. Pages that people and agents open on the live site are counted within a minute; previews are not counted.',
    )}
  </section>
`

type Counted = {
  readonly days: number
  readonly counted: Days
  readonly uses: readonly Use[]
}

async function withViews(screen: ProjectScreen, { days, counted, uses }: Counted): Promise<Html> {
  const [people, agents, notFound, emptySearches, gaps, searches, referrers] = await Promise.all([
    peopleCard(screen, days, counted),
    agentsCard(screen, days, counted),
    listCard(screen, NOT_FOUND, days),
    emptySearchesCard(screen, days),
    gapsCard(screen),
    listCard(screen, SEARCHES, days),
    referrersCard(screen, days),
  ])
  const playgrounds = uses.filter(({ event }) => event === 'playground')
  return html`
    ${viewStatistics(counted)}
    ${viewsCard(screen, counted, days)}
    <div class="grid two">${people}${agents}</div>
    ${group({
      id: 'missing',
      title: 'What was missing',
      text: 'What readers looked for and did not find.',
      body: html`${notFound}<div class="grid two">${emptySearches}${gaps}</div>`,
    })}
    ${group({
      id: 'arrived',
      title: 'How readers arrived',
      text: 'What readers searched for on the site, and the sites that they came from.',
      body: html`<div class="grid two">${searches}${referrers}</div>`,
    })}
    ${playgrounds.length > 0 && playgroundsCard(screen, playgrounds, days)}
  `
}

function viewsCard({ now }: ProjectScreen, counted: Days, days: number): Html {
  const chart = viewChart(counted)
  const bots = sumOf(counted.shown, 'bots')
  const last = firstDay(days + 1, now)
  const earlier =
    sumOf(counted.before, 'human') > 0 &&
    html`Compared with ${shortDay(firstDay(2 * days, now))} to ${shortDay(last)}.`
  const note = html`
    <span class="end">
      ${earlier}
      ${bots > 0 && html` ${countOf(bots, 'view')} by search engines and other programs not included.`}
    </span>
  `
  return html`
    <section class="card">
      ${cardHead(html`<span id="views">Page views per day</span>`, chartLegend(chart))}
      ${dayChart(chart, 'views')}
      <div class="card-foot">${dayTable(chart)}${note}</div>
    </section>
  `
}

async function emptySearchesCard(screen: ProjectScreen, days: number): Promise<Html> {
  const path = EMPTY_SEARCHES.pathOf(screen, { ...rangeOf(screen, days), limit: SHOWN })
  const { searches } = await readApi(screen.visit.api, SearchList, path)
  const ranks = searches.map(({ searchQuery, empty }) => ({ label: searchQuery, count: empty }))
  return rankCard({
    list: EMPTY_SEARCHES,
    aside: allLink(screen, EMPTY_SEARCHES, days),
    ranks,
  })
}

async function referrersCard(screen: ProjectScreen, days: number): Promise<Html> {
  const path = REFERRERS.pathOf(screen, { ...rangeOf(screen, days), limit: SHOWN })
  const { referrers, hasMore } = await readApi(screen.visit.api, ReferrerList, path)
  // Referrers are not shown as links, since referrer spam relies on owners following them.
  const ranks = referrers.map(({ host, views }) => ({ label: host, count: views }))
  const aside = hasMore ? allLink(screen, REFERRERS, days) : 'People only'
  return rankCard({ list: REFERRERS, aside, ranks })
}

type RankCard = {
  readonly list: Pick<AnalyticsList, 'title' | 'empty'>
  readonly aside: HtmlPart
  readonly ranks: readonly Rank[]
}

const rankCard = ({ list: { title, empty }, aside, ranks }: RankCard): Html =>
  card({
    title,
    aside: ranks.length > 0 && aside,
    isFlush: true,
    body: ranks.length === 0 ? emptyState(...empty) : rankList(ranks),
  })

async function gapsCard(screen: ProjectScreen): Promise<HtmlPart> {
  if (!screen.may('gaps:read')) return undefined
  const gaps = await readOpenGaps(screen)
  return rankCard({
    list: {
      title: 'Unanswered questions, all time',
      empty: ['No open gaps', 'Questions that your pages do not answer appear here.'],
    },
    aside: html`<a class="link" href="${screen.path('gaps')}">Open gaps</a>`,
    ranks: gapRanks(screen, gaps, SHOWN),
  })
}

/** Renders the first entries of a list, with a link to all. */
async function listCard(screen: ProjectScreen, list: AnalyticsList, days: number): Promise<Html> {
  const query = { ...rangeOf(screen, days), limit: SHOWN }
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

const playgroundsCard = (screen: ProjectScreen, uses: readonly Use[], days: number): Html =>
  card({
    title: 'API playgrounds',
    aside: allLink(screen, USES, days),
    isFlush: true,
    body: useTable(uses.slice(0, SHOWN), 'API playgrounds'),
  })

/** `/projects/:id/analytics/:list`: all entries of one list. */
export async function showAnalyticsList(screen: ProjectScreen, id: string): Promise<Response> {
  const isFile = id.endsWith(CSV_ENDING)
  const name = isFile ? id.slice(0, -CSV_ENDING.length) : id
  const list = ALL_LISTS.find((one) => one.id === name)
  if (list === undefined)
    throw new ApiFailure({ status: 404, code: 'not-found', detail: 'This list does not exist.' })
  const { url, now, options, path } = screen
  const days = readRange(url)
  if (isFile) return exportList(screen, list, days)
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
        actions: html`${rangeForm(days)}${csvButton(screen, list, days)}`,
      })}
      <section class="card" aria-label="${list.title}">${body ?? emptyState(...list.empty)}${note}</section>
      ${equivalentCommands(curlCommand({ url: options.url, path: list.pathOf(screen, query) }))}
    `,
  })
}
