/**
 * `/projects/:id/conversations`: readers' questions, with filters and an export of the filtered
 * ones.
 */
import { CategoryList, ConversationList } from '@octavo/contract'
import { emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { shortAddress } from '../../parts/link.ts'
import { problemNotice } from '../../parts/notice.ts'
import { countOf, countText } from '../../parts/number.ts'
import { feedbackState, resolutionState, stateTag } from '../../parts/state.ts'
import { pager, type Row, table } from '../../parts/table.ts'
import { dayText, exactText, timeTag } from '../../parts/time.ts'
import { apiPaths, type Query, withQuery } from '../../visit/api-paths.ts'
import { ApiFailure, readApi, readProblem } from '../../visit/call-api.ts'
import { formValue, type ProjectScreen } from '../../visit/screen.ts'

const FILTERS = ['text', 'dateFrom', 'dateTo', 'resolutionStatus', 'queryCategory', 'feedback']
const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const

type Listed = ConversationList['conversations'][number]

export async function showConversations(screen: ProjectScreen): Promise<Response> {
  const { visit, project, url, options } = screen
  const filter = readFilter(url)
  const path = apiPaths.project(project.id, '/conversations', {
    ...filter,
    cursor: url.searchParams.get('cursor') ?? undefined,
  })
  const { list, problem } = await readList(() => readApi(visit.api, ConversationList, path))
  const exportPath = apiPaths.project(project.id, '/conversations', filter)
  const categoriesPath = apiPaths.project(project.id, '/conversations/categories')
  const { categories } = await readApi(visit.api, CategoryList, categoriesPath)
  const { conversations, searchedTo } = list
  const isEmpty = conversations.length === 0
  const kept = problem === undefined && ` Kept for ${countOf(list.retentionDays, 'day')}.`
  const body = html`
    ${pageHead({
      title: 'Conversations',
      lead: html`What readers asked the assistant, and what it said.${kept}`,
    })}
    ${problemNotice(problem)}
    <section class="card">
      ${filterForm(screen, categories)}
      ${exportBar(screen, filter, list.total)}
      ${isEmpty ? nothing(screen, filter, searchedTo) : conversationTable(screen, conversations)}
      ${pager(url, {
        nextCursor: list.nextCursor,
        note: pageNote(list),
        words: ['Newer', searchedTo === null ? 'Older' : 'Search further'],
        hasTrail: true,
      })}
    </section>
    ${equivalentCommands(
      curlCommand({ url: options.url, path: exportPath, accept: FORMATS.ndjson }),
      exportCommand(screen, filter),
    )}
  `
  return projectPage(screen, { section: 'conversations', title: 'Conversations', body })
}

const NO_LIST: ConversationList = {
  conversations: [],
  nextCursor: null,
  total: null,
  searchedTo: null,
  retentionDays: 0,
}

/** Reads the list. If the API rejects the filter, the form keeps it and shows the error above. */
async function readList(read: () => Promise<ConversationList>) {
  try {
    return { list: await read(), problem: undefined }
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.problem.status !== 400) throw error
    return { list: NO_LIST, problem: error.problem.detail }
  }
}

/** Says how far a search looked, or else how many of all conversations are on the page. */
function pageNote({ conversations, total, searchedTo }: ConversationList): string {
  if (searchedTo !== null) return `Searched back to ${exactText(searchedTo)}`
  if (total === null || conversations.length === 0) return 'Newest first'
  return `Newest first, ${countText(conversations.length)} of ${countText(total)}`
}

function readFilter(url: URL): Query {
  return Object.fromEntries(
    FILTERS.map((name) => [name, formValue(url.searchParams, name) || undefined]),
  )
}

/** Forwards the stream of the API as a download with a descriptive file name. */
export async function exportConversations(
  screen: ProjectScreen,
  format: keyof typeof FORMATS,
): Promise<Response> {
  const { visit, project, url, now } = screen
  const path = apiPaths.project(project.id, '/conversations', readFilter(url))
  const reply = await visit.api('GET', path, { accept: FORMATS[format] })
  if (!reply.ok) throw new ApiFailure(await readProblem(reply))
  const day = new Date(now).toISOString().slice(0, 10)
  return new Response(reply.body, {
    headers: {
      'content-type': reply.headers.get('content-type') ?? FORMATS[format],
      'content-disposition': `attachment; filename="conversations-${day}.${format}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function filterForm({ url, path }: ProjectScreen, categories: readonly string[]): Html {
  const value = (name: string) => formValue(url.searchParams, name)
  const all = { value: '', label: 'All' }
  // A category of the address stays chosen even if its conversations are gone.
  const known = new Set([...categories, value('queryCategory')].filter((name) => name !== ''))
  const fields = [
    textField({
      name: 'text',
      label: 'Text',
      type: 'search',
      value: value('text'),
      placeholder: 'Words of the question or answer',
      className: 'grow',
    }),
    textField({ name: 'dateFrom', label: 'From', type: 'date', value: value('dateFrom') }),
    textField({ name: 'dateTo', label: 'Before', type: 'date', value: value('dateTo') }),
    selectField({
      name: 'resolutionStatus',
      label: 'Status',
      value: value('resolutionStatus'),
      choices: [
        all,
        { value: 'answered', label: 'Answered' },
        { value: 'unanswered', label: 'Unanswered' },
      ],
    }),
    selectField({
      name: 'queryCategory',
      label: 'Category',
      value: value('queryCategory'),
      choices: [all, ...[...known].map((name) => ({ value: name, label: name }))],
    }),
    selectField({
      name: 'feedback',
      label: 'Feedback',
      value: value('feedback'),
      choices: [
        all,
        { value: 'helpful', label: 'Helpful' },
        { value: 'unhelpful', label: 'Not helpful' },
        { value: 'none', label: 'None' },
      ],
    }),
  ]
  return html`
    <form method="get" action="${path('conversations')}" class="filters" role="search">
      ${fields}
      <button class="button">Filter</button>
    </form>
  `
}

function exportBar({ path }: ProjectScreen, filter: Query, total: number | null): Html {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const item = (format: string, label: string) =>
    html`<li><a href="${withQuery(path(`conversations.${format}`), filter)}" download>${label}</a></li>`
  const count = total === null ? undefined : html`<b>${countOf(total, 'conversation')}</b>`
  const note = isFiltered
    ? html`${count ?? 'Conversations'} of this filter · <a class="link" href="${path('conversations')}">Show all</a>`
    : count
  return html`
    <div class="list-bar">
      <span>${note}</span>
      <div class="actions">
        <details class="menu end">
          <summary class="button small">
            ${icon('download')}Export${total !== null && ` ${countText(total)}`}${icon('chevron-down')}
          </summary>
          <ul>${item('ndjson', 'NDJSON')}${item('csv', 'CSV')}</ul>
        </details>
      </div>
    </div>
  `
}

function nothing({ path, may }: ProjectScreen, filter: Query, searchedTo: string | null): Html {
  if (searchedTo !== null)
    return emptyState(
      `No match back to ${dayText(searchedTo)}`,
      'A search looks at the newest conversations first and stops after a moment. Search further to go on from there.',
    )
  if (Object.values(filter).some((value) => value !== undefined))
    return emptyState(
      'No conversation matches',
      'Remove a condition, or choose another time.',
      html`<a class="button" href="${path('conversations')}">Show all</a>`,
    )
  return emptyState(
    'No conversations yet',
    'Each question that a reader asks the assistant appears here a second later, with its answer and sources.',
    may('project:write') &&
      html`<a class="button" href="${path('assistant')}">Assistant settings</a>`,
  )
}

function conversationTable(screen: ProjectScreen, conversations: readonly Listed[]): Html {
  return table({
    caption: 'Conversations, newest first',
    className: 'conversations',
    columns: [
      { label: 'Question' },
      { label: 'Status' },
      { label: 'Category' },
      { label: 'Feedback' },
      { label: 'Sources', isEnd: true },
      { label: 'Asked', isEnd: true },
    ],
    rows: conversations.map((conversation) => conversationRow(screen, conversation)),
  })
}

function conversationRow({ path, now, site }: ProjectScreen, conversation: Listed): Row {
  const { id, query, pageUrl, resolutionStatus, queryCategory, feedback, sources } = conversation
  return {
    cells: [
      {
        isLead: true,
        content: html`
          <a class="main cut" href="${path(`conversations/${id}`)}">${query}</a>
          ${
            pageUrl !== undefined &&
            html`<div class="sub"><span class="mono cut">${shortAddress(pageUrl, site.url)}</span></div>`
          }
        `,
      },
      stateTag(resolutionState(resolutionStatus)),
      { content: queryCategory ?? '–', className: queryCategory === undefined ? 'wide-only' : '' },
      {
        content: feedback === undefined ? '–' : stateTag(feedbackState(feedback)),
        className: feedback === undefined ? 'wide-only' : '',
      },
      { content: sources.length, isEnd: true, label: 'Sources' },
      { content: timeTag(conversation.timestamp, now), isEnd: true, className: 'muted' },
    ],
  }
}

/** Returns the export command, which only supports filtering by day. */
function exportCommand({ options, project }: ProjectScreen, { dateFrom, dateTo }: Query): string {
  const day = (name: string, value: Query[string]) =>
    /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? ` --${name} ${value}` : ''
  return `octavo export --url ${options.url} --project ${project.id}${day('from', dateFrom)}${day('to', dateTo)} -o conversations.ndjson`
}
