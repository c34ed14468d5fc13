/** The open gaps with the most questions, for screens that show the first few. */
import { type Gap, GapList } from '@octavo/contract'
import type { Rank } from '../../parts/chart.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

const READ = 20

export async function readOpenGaps({ visit, project }: ProjectScreen): Promise<readonly Gap[]> {
  const path = apiPaths.project(project.id, '/gaps', {
    state: 'open',
    sort: '-questions',
    limit: READ,
  })
  return (await readApi(visit.api, GapList, path)).gaps
}

export function gapRanks(
  { path }: ProjectScreen,
  gaps: readonly Gap[],
  shown: number,
): readonly Rank[] {
  return gaps.slice(0, shown).map(({ examples, count, id }) => ({
    label: examples[0] ?? 'A question that was deleted',
    count,
    href: path(`gaps#${id}`),
  }))
}
