/** Two cards with what people and what agents read: ranked lists with the change of each entry. */
import { AgentList, ReadList, UnreadPageList } from '@octavo/contract'
import { card, emptyState, type Fact } from '../../parts/card.ts'
import { type Rank, rankList } from '../../parts/chart.ts'
import { totalsList } from '../../parts/group.ts'
import { type Html, html } from '../../parts/html.ts'
import { pageAddress } from '../../parts/link.ts'
import { countOf, countText } from '../../parts/number.ts'
import { firstDay } from '../../parts/range.ts'
import { changeOf } from '../../parts/trend.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { AGENT_READS, type Days, sumOf } from './days.ts'
import { readLabel } from './lists.ts'

const SHOWN = 7
const AGENTS_SHOWN = 4

type Read = ReturnType<typeof ReadList.parse>['reads'][number]

export const readsPath = (
  { project, now }: ProjectScreen,
  days: number,
  by: 'people' | 'agents',
): string =>
  apiPaths.analytics(project.id, '/reads', { by, dateFrom: firstDay(days, now), limit: SHOWN })

export async function peopleCard(
  screen: ProjectScreen,
  days: number,
  { shown }: Days,
): Promise<Html> {
  const { visit, project, now, path } = screen
  const unreadPath = apiPaths.analytics(project.id, '/unread-pages', {
    dateFrom: firstDay(days, now),
    limit: 1,
  })
  const [{ reads }, unread] = await Promise.all([
    readApi(visit.api, ReadList, readsPath(screen, days, 'people')),
    readApi(visit.api, UnreadPageList, unreadPath),
  ])
  const visitors = sumOf(shown, 'visitors')
  const never = countOf(unread.total, 'page')
  const totals: Fact[] = [
    [
      'Never opened',
      unread.total === 0
        ? never
        : html`<a class="link" href="${path(`analytics/unread?days=${days}`)}">${never}</a>`,
    ],
    ...(visitors === 0
      ? []
      : [['Views per visitor', (sumOf(shown, 'human') / visitors).toFixed(1)] as const]),
  ]
  return card({
    title: 'What people read',
    aside: html`<a class="link" href="${path(`analytics/pages?days=${days}`)}">All pages</a>`,
    isFlush: true,
    body: html`
      ${
        reads.length === 0
          ? emptyState('No page views', 'Pages that people open most often appear here.')
          : rankList(ranksOf(screen, reads))
      }
      ${totalsList(totals)}
    `,
  })
}

/** Renders the reads by agents, and splits their total in two ways: by kind and by agent. */
export async function agentsCard(
  screen: ProjectScreen,
  days: number,
  { shown }: Days,
): Promise<Html> {
  const { visit, project, now, path } = screen
  const agentsPath = apiPaths.analytics(project.id, '/agents', { dateFrom: firstDay(days, now) })
  const [{ reads }, { agents }] = await Promise.all([
    readApi(visit.api, ReadList, readsPath(screen, days, 'agents')),
    readApi(visit.api, AgentList, agentsPath),
  ])
  const outcomes = path(`analytics/uses?days=${days}`)
  const calls = countText(sumOf(shown, 'aiCalls'))
  const total = sumOf(shown, ...AGENT_READS)
  const kinds: Fact[] = [
    ['Reads by agents', countText(total)],
    ['Pages', countText(sumOf(shown, 'ai'))],
    ['Files', countText(sumOf(shown, 'aiFiles'))],
    ['MCP calls', calls === '0' ? calls : html`<a class="link" href="${outcomes}">${calls}</a>`],
  ]
  return card({
    title: 'What agents read',
    aside: html`
      <a class="link" href="${path(`analytics/agents?days=${days}`)}">
        All<span class="sr-only"> that agents read</span>
      </a>
    `,
    isFlush: true,
    body: html`
      ${
        reads.length === 0
          ? emptyState(
              'No reads by agents',
              'Pages, files such as llms.txt and tools of the MCP server that agents use appear here.',
            )
          : rankList(ranksOf(screen, reads), 'agents')
      }
      ${total > 0 && totalsList(kinds)}
      ${agents.length > 0 && totalsList(agentTotals(agents))}
    `,
  })
}

/** Returns the most frequent agents by name, and the rest as one number. */
function agentTotals(agents: ReturnType<typeof AgentList.parse>['agents']): readonly Fact[] {
  const named = agents.filter(({ name }) => name !== OTHER_AGENT)
  const shown = named.slice(0, AGENTS_SHOWN)
  const others = agents.filter((agent) => !shown.includes(agent))
  const rest = others.reduce((sum, { count }) => sum + count, 0)
  return [
    ...shown.map(({ name, count }): Fact => [name, countText(count)]),
    ...(rest > 0 ? [['Others', countText(rest)] as const] : []),
  ]
}
const OTHER_AGENT = 'Other'

const ranksOf = ({ site }: ProjectScreen, reads: readonly Read[]): readonly Rank[] =>
  reads.map(({ event, name, count, before }) => ({
    label: readLabel({ event, name }),
    count,
    href: event === 'mcp' ? undefined : pageAddress(name, site.url),
    delta: changeOf(count, before),
  }))
