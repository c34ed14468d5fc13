/**
 * `/projects/:id/conversations`: readers' questions, with filters and an export of the results.
 */
import { CategoryList, ConversationList } from '@octavo/contract'
import { emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import {
  DOWNLOAD_TYPES,
  type DownloadFormat,
  downloadMenu,
  forwardDownload,
} from '../../parts/download.ts'
import { selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { shortAddress } from '../../parts/link.ts'
import { problemNotice } from '../../parts/notice.ts'
import { countOf, countText } from '../../parts/number.ts'
import { feedbackState, resolutionState, stateTag } from '../../parts/state.ts'
import { pager, type Row, table } from '../../parts/table.ts'
import { dayText, exactText, timeTag } from '../../parts/time.ts'
import { apiPaths, type Query } from '../../visit/api-paths.ts'
import { ApiFailure, readApi } from '../../visit/call-api.ts'
import { formValue, type ProjectScreen } from '../../visit/screen.ts'

const FILTERS = ['text', 'dateFrom', 'dateTo', 'resolutionStatus', 'queryCategory', 'feedback']

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
      lead: html`What readers asked the assistant, and what it answered.${kept}`,
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
      curlCommand({ url: options.url, path: exportPath, accept: DOWNLOAD_TYPES.ndjson }),
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

/**
 * Reads the list. If the API rejects the filter, returns an empty list with the error, which is
 * shown above the form.
 */
async function readList(read: () => Promise<ConversationList>) {
  try {
    return { list: await read(), problem: undefined }
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.problem.status !== 400) throw error
    return { list: NO_LIST, problem: error.problem.detail }
  }
}

/** Returns how far back the search went, or else how many of all conversations are on the page. */
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

export const exportConversations = (
  screen: ProjectScreen,
  format: DownloadFormat,
): Promise<Response> =>
  forwardDownload(screen, {
    path: apiPaths.project(screen.project.id, '/conversations', readFilter(screen.url)),
    name: 'conversations',
    format,
  })

function filterForm({ url, path }: ProjectScreen, categories: readonly string[]): Html {
  const value = (name: string) => formValue(url.searchParams, name)
  const all = { value: '', label: 'All' }
  // The category in the address stays selected even if its conversations are gone.
  const known = new Set([...categories, value('queryCategory')].filter((name) => name !== ''))
  const fields = [
    textField({
      name: 'text',
      label: 'Text',
      type: 'search',
      value: value('text'),
      placeholder: 'Question or answer',
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
  const count = total === null ? undefined : html`<b>${countOf(total, 'conversation')}</b>`
  const showAll = html`<a class="link" href="${path('conversations')}">Show all</a>`
  const note = isFiltered
    ? html`${count ?? 'Conversations'} matching this filter · ${showAll}`
    : count
  return html`
    <div class="list-bar">
      <span>${note}</span>
      <div class="actions">
        ${downloadMenu({ path: path('conversations'), filter, count: total, isSmall: true })}
      </div>
    </div>
  `
}

function nothing({ path, may }: ProjectScreen, filter: Query, searchedTo: string | null): Html {
  if (searchedTo !== null)
    return emptyState(
      `No match back to ${dayText(searchedTo)}`,
      'The search starts with the newest conversations and pauses after a moment. Choose “Search further” to continue.',
    )
  if (Object.values(filter).some((value) => value !== undefined))
    return emptyState(
      'No matching conversations',
      'Remove a filter, or choose another period.',
      html`<a class="button" href="${path('conversations')}">Show all</a>`,
    )
  return emptyState(
    'No conversations yet',
    'Questions that readers ask the assistant appear here about a second later, with the answers and sources.',
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

/** Returns the CLI command for the export, which can only filter by day. */
function exportCommand({ options, project }: ProjectScreen, { dateFrom, dateTo }: Query): string {
  const day = (name: string, value: Query[string]) =>
    /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? ` --${name} ${value}` : ''
  return `octavo export --service ${options.url} --project ${project.id}${day('from', dateFrom)}${day('to', dateTo)} -o conversations.ndjson`
}
