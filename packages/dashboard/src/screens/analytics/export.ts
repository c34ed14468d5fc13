/** Downloads of analytics lists as CSV, with the columns of the API. */
import { downloadCsv } from '../../parts/csv-download.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { firstDay } from '../../parts/range.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { ALL_LISTS, type AnalyticsList } from './lists.ts'

export const CSV_ENDING = '.csv'

const ROWS_PER_READ = 100

export function exportMenu({ path }: ProjectScreen, days: number): Html {
  const items = ALL_LISTS.map(
    ({ id, title }) =>
      html`<li><a href="${path(`analytics/${id}${CSV_ENDING}?days=${days}`)}" download>${title}</a></li>`,
  )
  return html`
    <details class="menu end">
      <summary class="button">${icon('download')}CSV${icon('chevron-down')}</summary>
      <ul>${items}</ul>
    </details>
  `
}

export const csvButton = ({ path }: ProjectScreen, { id }: AnalyticsList, days: number): Html =>
  html`
    <a class="button" href="${path(`analytics/${id}${CSV_ENDING}?days=${days}`)}" download>${icon('download')}CSV</a>
  `

export function exportList(
  screen: ProjectScreen,
  list: AnalyticsList,
  days: number,
): Promise<Response> {
  const dateFrom = firstDay(days, screen.now)
  return downloadCsv(
    (cursor) => list.readEntries(screen, { dateFrom, cursor, limit: ROWS_PER_READ }),
    { name: list.id, now: screen.now },
  )
}
