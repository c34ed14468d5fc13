/** Daily numbers and the chart of views, for two screens. */
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

export function viewStatistics({ shown, before }: Days): Html {
  const count = (title: string, name: CountName, look: TrendLook, wanted: Wanted): Statistic => {
    const sum = sumOf(shown, name)
    const line = trendLine(
      shown.map((day) => day[name]),
      look,
    )
    return [title, countText(sum), changeOf(sum, sumOf(before, name), wanted), line]
  }
  return statisticsCard([
    count('Views by people', 'human', 'people', 'more'),
    count('Reads by agents', 'ai', 'agents', 'more'),
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

/** Undefined without searches. */
function foundShare(days: readonly Day[]): number | undefined {
  const all = sumOf(days, 'searches')
  return all === 0 ? undefined : 1 - sumOf(days, 'emptySearches') / all
}

export const sumOf = (days: readonly Day[], number: CountName) =>
  days.reduce((sum, day) => sum + day[number], 0)

export function viewChart({ shown }: Days): DayChart {
  return {
    name: 'Views',
    series: [
      { label: 'People', look: 'people' },
      { label: 'Agents', look: 'agents' },
    ],
    days: shown.map(({ day, human, ai }) => ({ day, counts: [human, ai] })),
  }
}
