/** The cards of what people and agents read, each ranked on its own with its change. */
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
import { type Days, sumOf } from './days.ts'
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
          ? emptyState('No page was read', 'Pages that people open most often appear here.')
          : rankList(ranksOf(screen, reads))
      }
      ${totalsList(totals)}
    `,
  })
}

export async function agentsCard(screen: ProjectScreen, days: number): Promise<Html> {
  const { visit, project, now, path } = screen
  const agentsPath = apiPaths.analytics(project.id, '/agents', { dateFrom: firstDay(days, now) })
  const [{ reads }, { agents }] = await Promise.all([
    readApi(visit.api, ReadList, readsPath(screen, days, 'agents')),
    readApi(visit.api, AgentList, agentsPath),
  ])
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
              'No agent has read anything',
              'Pages, files such as llms.txt and tools of the MCP server that agents use appear here.',
            )
          : rankList(ranksOf(screen, reads), 'agents')
      }
      ${agents.length > 0 && totalsList(agentTotals(agents, path(`analytics/uses?days=${days}`)))}
    `,
  })
}

/** Returns the most frequent agents by name, and the rest as one number. */
function agentTotals(
  agents: ReturnType<typeof AgentList.parse>['agents'],
  outcomes: string,
): readonly Fact[] {
  const named = agents.filter(({ name }) => name !== OTHER_AGENT)
  const shown = named.slice(0, AGENTS_SHOWN)
  const others = agents.filter((agent) => !shown.includes(agent))
  const rest = others.reduce((sum, { count }) => sum + count, 0)
  return [
    ...shown.map(({ name, count }): Fact => {
      const text = countText(count)
      return [name, name === MCP ? html`<a class="link" href="${outcomes}">${text}</a>` : text]
    }),
    ...(rest > 0 ? [['Others', countText(rest)] as const] : []),
  ]
}
const OTHER_AGENT = 'Other'
/** Its calls have outcomes, which have a list of their own. */
const MCP = 'MCP'

const ranksOf = ({ site }: ProjectScreen, reads: readonly Read[]): readonly Rank[] =>
  reads.map(({ event, name, count, before }) => ({
    label: readLabel({ event, name }),
    count,
    href: event === 'mcp' ? undefined : pageAddress(name, site.url),
    delta: changeOf(count, before),
  }))
