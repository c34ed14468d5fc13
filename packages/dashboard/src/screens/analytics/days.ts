/** Daily numbers and the chart of views, for two screens. */
import { DayList } from '@octavo/contract'
import type { DayChart } from '../../parts/chart.ts'
import type { Html } from '../../parts/html.ts'
import { countText } from '../../parts/number.ts'
import { firstDay } from '../../parts/range.ts'
import { changeOf, type Statistic, statisticsCard } from '../../parts/statistics.ts'
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

const STATISTICS: readonly (readonly [name: string, number: CountName])[] = [
  ['Views by people', 'human'],
  ['Views by agents', 'ai'],
  ['Visitors', 'visitors'],
  ['Searches', 'searches'],
  ['Not found', 'notFound'],
]

export function viewStatistics({ shown, before }: Days): Html {
  const items = STATISTICS.map(([name, number]): Statistic => {
    const count = sumOf(shown, number)
    return [name, countText(count), changeOf(count, sumOf(before, number))]
  })
  return statisticsCard(items)
}

export const sumOf = (days: readonly Day[], number: CountName) =>
  days.reduce((sum, day) => sum + day[number], 0)

export function viewChart({ shown }: Days): DayChart {
  return {
    name: 'Views',
    series: [
      { label: 'By people', look: 'people' },
      { label: 'By agents', look: 'agents' },
    ],
    days: shown.map(({ day, human, ai }) => ({ day, counts: [human, ai] })),
  }
}
