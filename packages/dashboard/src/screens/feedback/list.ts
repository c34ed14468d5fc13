/** `/projects/:id/feedback`: comments by readers and agents, their states, and votes by page. */
import { FEEDBACK_SOURCES, FEEDBACK_STATES, FeedbackList } from '@octavo/contract'
import { emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { hiddenFields, selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { problemNotice } from '../../parts/notice.ts'
import { countText } from '../../parts/number.ts'
import { inboxState } from '../../parts/state.ts'
import { pager } from '../../parts/table.ts'
import { toast } from '../../parts/toast.ts'
import { withQuery } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { commentsPath, listAddress, type Place, placeQuery, readPlace, TABS } from './filter.ts'
import { commentRow, SOURCES } from './rows.ts'
import { totalsCard, votesCard, votesPath } from './votes.ts'

export async function showFeedback(screen: ProjectScreen, problem?: string): Promise<Response> {
  const { visit, url, options } = screen
  const place = readPlace(url.searchParams)
  const listPath = commentsPath(screen, place)
  const [{ feedback, counts, nextCursor }, totals, votes] = await Promise.all([
    readApi(visit.api, FeedbackList, listPath),
    totalsCard(screen),
    votesCard(screen),
  ])
  const rows = feedback.map((one) => commentRow(screen, one, place))
  return projectPage(screen, {
    section: 'feedback',
    title: 'Feedback',
    status: problem === undefined ? 200 : 409,
    body: html`
      ${pageHead({
        title: 'Feedback',
        lead: 'Votes and comments on your pages. They are kept until you delete them.',
      })}
      ${problemNotice(problem)}
      ${totals}
      <div class="grid with-side">
        <section class="card" aria-label="Comments">
          ${tabs(screen, place, counts)}
          ${filterForm(screen, place)}
          ${rows.length === 0 ? nothing(screen, place) : html`<ul class="voices">${rows}</ul>`}
          ${pager(new URL(listAddress(screen, place), url), { nextCursor, note: 'Newest comments first' })}
        </section>
        ${votes}
      </div>
      ${lastChange(screen, place)}
      ${equivalentCommands(...[listPath, votesPath(screen)].map((path) => curlCommand({ url: options.url, path })))}
    `,
  })
}

function tabs(
  screen: ProjectScreen,
  place: Place,
  counts: ReturnType<typeof FeedbackList.parse>['counts'],
): Html {
  const links = TABS.map((tab) => {
    const count = tab.statuses.reduce((sum, status) => sum + counts[status], 0)
    const href = listAddress(screen, { ...place, tab, cursor: undefined })
    return html`
      <a href="${href}"${tab.id === place.tab.id && html` aria-current="page"`}>
        ${tab.label} <span class="count">${countText(count)}</span>
      </a>
    `
  })
  return html`<nav class="tabs" aria-label="States">${links}</nav>`
}

function filterForm({ path }: ProjectScreen, place: Place): Html {
  const { tab, text, vote, source } = place
  const fields = [
    textField({
      name: 'text',
      label: 'Text or page',
      type: 'search',
      className: 'grow',
      placeholder: 'picture, /api/…',
      ...(text && { value: text }),
    }),
    selectField({
      name: 'vote',
      label: 'Vote',
      ...(vote && { value: vote }),
      choices: [
        { value: '', label: 'All' },
        { value: 'helpful', label: 'Helpful' },
        { value: 'unhelpful', label: 'Not helpful' },
      ],
    }),
    selectField({
      name: 'source',
      label: 'Source',
      ...(source && { value: source }),
      choices: [
        { value: '', label: 'All' },
        ...FEEDBACK_SOURCES.filter((one) => one !== 'thumbs_only').map((value) => ({
          value,
          label: SOURCES[value],
        })),
      ],
    }),
  ]
  return html`
    <form method="get" action="${path('feedback')}" class="filters" role="search">
      ${hiddenFields(tab.id === 'open' ? {} : { state: tab.id })}
      ${fields}
      <button class="button">Filter</button>
    </form>
  `
}

const NO_FILTER = { text: undefined, vote: undefined, source: undefined, cursor: undefined }

function nothing(screen: ProjectScreen, place: Place): Html {
  const { tab, text, vote, source, cursor } = place
  const all = withQuery(screen.path('feedback'), placeQuery({ ...NO_FILTER, tab }))
  const clear = html`<a class="link" href="${all}">Clear the filters</a>`
  if (text !== undefined || vote !== undefined || source !== undefined || cursor !== undefined)
    return emptyState('No matching comments', clear)
  return emptyState(
    `No ${tab.label.toLowerCase()} comments`,
    tab.id === 'open'
      ? 'Comments from readers and problems reported by agents appear here.'
      : `Comments that you move to “${tab.label}” appear here.`,
  )
}

/** Renders the last change of a state with an Undo button; undefined if there was none. */
function lastChange({ url, visit, path, may }: ProjectScreen, place: Place): HtmlPart {
  const of = (name: string) => FEEDBACK_STATES.find((one) => one === url.searchParams.get(name))
  const [now, was, id] = [of('now'), of('was'), url.searchParams.get('changed')]
  if (!may('feedback:write') || now === undefined || was === undefined || id === null)
    return undefined
  return toast({
    text: `Comment moved: ${inboxState(now).word}.`,
    undo: {
      action: withQuery(path(`feedback/${encodeURIComponent(id)}`), placeQuery(place)),
      token: visit.formToken,
      fields: { state: was },
    },
  })
}
