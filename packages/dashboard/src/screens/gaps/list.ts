/** `/projects/:id/gaps`: questions that the pages do not answer yet. */
import { GAP_STATES, type Gap, GapList } from '@octavo/contract'
import { selectionForm } from '../../parts/bulk.ts'
import { emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { hiddenFields, selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { problemNotice } from '../../parts/notice.ts'
import { countOf, countText } from '../../parts/number.ts'
import { pager } from '../../parts/table.ts'
import { apiPaths, type Query, withQuery } from '../../visit/api-paths.ts'
import { type FormProblem, readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { changeButtons } from './actions.ts'
import { GAP_DAYS, type GapFilter, readGapFilter } from './filter.ts'
import { changeToast } from './last-change.ts'
import { gapTable } from './rows.ts'

const TABS: readonly { readonly state: Gap['state'] | undefined; readonly label: string }[] = [
  { state: undefined, label: 'All' },
  { state: 'open', label: 'Open' },
  { state: 'linked', label: 'Page linked' },
  { state: 'likely', label: 'Likely closed' },
  { state: 'verified', label: 'Verified' },
  { state: 'dismissed', label: 'Not a gap' },
]
const GAPS = GAP_STATES.filter((state) => state !== 'dismissed').join(',')
const DAY_MS = 86_400_000
const TEXT_LENGTH_MAX = 200

export async function showGaps(screen: ProjectScreen, problem?: FormProblem): Promise<Response> {
  const { visit, project, url, options } = screen
  const filter = readGapFilter(url.searchParams)
  const listPath = apiPaths.project(project.id, '/gaps', queryOf(screen, filter))
  const list = await readApi(visit.api, GapList, listPath)
  const { state } = filter
  const command = `octavo gaps${state === undefined ? '' : ` --state ${state}`} --service ${options.url} --project ${project.id}`
  return projectPage(screen, {
    section: 'gaps',
    title: 'Gaps',
    status: problem?.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Gaps',
        lead: 'Questions that your pages do not answer, grouped by topic. After each deployment, they are asked again.',
      })}
      ${tabs(screen, filter, list)}
      ${problemNotice(problem?.detail)}
      <section class="card">
        ${filterForm(screen, filter)}
        ${list.gaps.length === 0 ? empty(screen, filter) : rows(screen, filter, list)}
        ${noiseLine(screen, filter, list)}
        ${pager(url, { nextCursor: list.nextCursor, note: '', words: ['First', 'Next'] })}
      </section>
      ${await changeToast(screen, 'gaps')}
      ${equivalentCommands(curlCommand({ url: options.url, path: listPath }), command)}
    `,
  })
}

/**
 * Returns the query for the API. Dismissed gaps are only listed if the filter asks for this state.
 */
function queryOf({ now }: ProjectScreen, { days, state = GAPS, ...rest }: GapFilter): Query {
  if (days === undefined) return { ...rest, state }
  const since = new Date(now - Number(days) * DAY_MS)
  return { ...rest, state, askedSince: since.toISOString().slice(0, 10) }
}

const address = ({ path }: ProjectScreen, filter: GapFilter) => withQuery(path('gaps'), filter)

function tabs(screen: ProjectScreen, filter: GapFilter, { counts }: GapList): Html {
  const all = countAll(counts)
  const items = TABS.map(({ state, label }) => {
    const isCurrent = state === filter.state && filter.noise === undefined
    const href = address(screen, { sort: filter.sort ?? '', ...(state && { state }) })
    const count = state === undefined ? all : counts[state]
    return html`
      <a href="${href}"${isCurrent && html` aria-current="page"`}>
        ${label}
        <span class="count">${countText(count)}</span>
      </a>
    `
  })
  return html`<nav class="tabs" aria-label="States">${items}</nav>`
}

const countAll = ({ open, linked, likely, verified }: GapList['counts']) =>
  open + linked + likely + verified

function filterForm({ path }: ProjectScreen, filter: GapFilter): Html {
  const { state, noise, sort, days, min, q } = filter
  const fields = [
    textField({
      name: 'q',
      label: 'Text',
      type: 'search',
      value: q ?? '',
      placeholder: 'Part of a question',
      maxLength: TEXT_LENGTH_MAX,
      className: 'grow',
    }),
    selectField({
      name: 'sort',
      label: 'Sort by',
      ...(sort && { value: sort }),
      choices: [
        { value: '-questions', label: 'Most questions' },
        { value: '-lastAsked', label: 'Last asked' },
        { value: 'state', label: 'State' },
        { value: 'questions', label: 'Fewest questions' },
        { value: 'lastAsked', label: 'Least recently asked' },
        { value: '-state', label: 'State (reverse order)' },
      ],
    }),
    selectField({
      name: 'days',
      label: 'Asked in',
      ...(days && { value: days }),
      choices: [
        { value: '', label: 'All time' },
        ...GAP_DAYS.map((value) => ({ value, label: `${value} days` })),
      ],
    }),
    selectField({
      name: 'min',
      label: 'At least',
      ...(min && { value: min }),
      choices: [
        { value: '', label: '1 question' },
        { value: '2', label: '2 questions' },
        { value: '5', label: '5 questions' },
      ],
    }),
  ]
  return html`
    <form method="get" action="${path('gaps')}" class="filters" role="search">
      ${hiddenFields({ state, noise })}
      ${fields}
      <button class="button">Filter</button>
    </form>
  `
}

function rows(
  screen: ProjectScreen,
  filter: GapFilter,
  { gaps, counts, questions }: GapList,
): Html {
  const { visit, path, may } = screen
  const order = { sort: filter.sort, href: (sort: string) => orderAddress(screen, filter, sort) }
  if (!may('gaps:write')) return gapTable(screen, gaps, order)
  return selectionForm({
    action: path('gaps/changes'),
    token: visit.formToken,
    fields: { query: withQuery('', filter).slice(1) },
    resting: `${countOf(countAll(counts), 'gap')}, ${countOf(questions, 'question')} in total`,
    actions: changeButtons(),
    body: gapTable(screen, gaps, order),
  })
}

/** Returns the address of the first page in a different order. */
function orderAddress(screen: ProjectScreen, { cursor: _, ...filter }: GapFilter, sort: string) {
  return address(screen, { ...filter, sort })
}

function noiseLine(screen: ProjectScreen, filter: GapFilter, { noise }: GapList): HtmlPart {
  const { noise: shown, cursor: _, ...rest } = filter
  if (shown === 'only')
    return html`
      <p class="list-foot">
        These questions were asked once and contain no real words.
        <a class="link" href="${address(screen, rest)}">Hide them</a>
      </p>
    `
  if (noise === 0) return undefined
  const href = address(screen, { sort: '-lastAsked', noise: 'only' })
  const count = countOf(noise, 'unreadable question')
  const text = `${count}, such as “asdfgh”, ${noise === 1 ? 'is' : 'are'} filtered out.`
  return html`<p class="list-foot">${text} <a class="link" href="${href}">Show them</a></p>`
}

function empty(screen: ProjectScreen, { state, days, min, noise, q }: GapFilter): Html {
  const isFiltered = [state, days, min, noise, q].some((one) => one !== undefined)
  if (isFiltered)
    return emptyState(
      'No matching gaps',
      'Choose another state, or clear the filters.',
      html`<a class="button" href="${screen.path('gaps')}">Clear the filters</a>`,
    )
  return emptyState(
    'No open gaps',
    'Unanswered questions appear here within a minute. Similar questions are grouped, so the largest groups show what to write next.',
  )
}
