/** Daily numbers and the chart of views, for the analytics screen and the overview. */
import { DayList } from '@octavo/contract'
import type { DayChart } from '../../parts/chart.ts'
import type { Html } from '../../parts/html.ts'
import { countText, percentText } from '../../parts/number.ts'
import { firstDay } from '../../parts/range.ts'
import { type Statistic, statisticsCard } from '../../parts/statistics.ts'
import { changeOf, pointsOf, type TrendLook, trendLine, type Wanted } from '../../parts/trend.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

type Day = ReturnType<typeof DayList.parse>['days'][number]
type CountName = Exclude<keyof Day, 'day'>

export type Days = { readonly shown: readonly Day[]; readonly before: readonly Day[] }

/** Reads these days and the previous period in one call. */
export async function readDays({ visit, project, now }: ProjectScreen, days: number) {
  const path = apiPaths.analytics(project.id, '/days', { dateFrom: firstDay(2 * days, now) })
  const reply = await readApi(visit.api, DayList, path)
  return { shown: reply.days.slice(-days), before: reply.days.slice(0, -days) } satisfies Days
}

/** Reads by agents are page views, files for agents, and calls to tools of the MCP server. */
export const AGENT_READS = ['ai', 'aiFiles', 'aiCalls'] as const satisfies readonly CountName[]

export function viewStatistics({ shown, before }: Days): Html {
  const count = (
    title: string,
    names: CountName | readonly CountName[],
    look: TrendLook,
    wanted: Wanted,
  ): Statistic => {
    const all = [names].flat()
    const sum = sumOf(shown, ...all)
    const line = trendLine(
      shown.map((day) => sumOf([day], ...all)),
      look,
    )
    return [title, countText(sum), changeOf(sum, sumOf(before, ...all), wanted), line]
  }
  return statisticsCard([
    count('Page views by people', 'human', 'people', 'more'),
    count('Reads by agents', AGENT_READS, 'agents', 'more'),
    count('Visitors', 'visitors', 'people', 'more'),
    searchStatistic({ shown, before }),
    count('Broken links (404)', 'notFound', 'missed', 'fewer'),
  ])
}

function searchStatistic({ shown, before }: Days): Statistic {
  const all = sumOf(shown, 'searches')
  const found = all - sumOf(shown, 'emptySearches')
  const line = trendLine(
    shown.map((day) => foundShare([day])),
    'people',
  )
  const delta = pointsOf(foundShare(shown), foundShare(before), 'more')
  return ['Searches with results', percentText(found, all), delta, line]
}

/** Returns the share of searches with results; undefined if there were no searches. */
function foundShare(days: readonly Day[]): number | undefined {
  const all = sumOf(days, 'searches')
  return all === 0 ? undefined : 1 - sumOf(days, 'emptySearches') / all
}

export const sumOf = (days: readonly Day[], ...names: readonly CountName[]) =>
  days.reduce((sum, day) => names.reduce((all, name) => all + day[name], sum), 0)

export function viewChart({ shown }: Days): DayChart {
  return {
    name: 'Page views',
    series: [
      { label: 'People', look: 'people' },
      { label: 'Agents', look: 'agents' },
    ],
    days: shown.map(({ day, human, ai }) => ({ day, counts: [human, ai] })),
  }
}
