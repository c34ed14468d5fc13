/** `/projects/:id/feedback`: feedback from readers and agents about pages, and its state. */
import {
  FEEDBACK_SOURCES,
  FEEDBACK_STATES,
  Feedback,
  FeedbackList,
  PageFeedbackList,
} from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { hiddenFields, postButton } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { pageLink } from '../../parts/link.ts'
import { problemNotice } from '../../parts/notice.ts'
import { countText } from '../../parts/number.ts'
import { firstDay } from '../../parts/range.ts'
import { feedbackState, inboxState, stateTag } from '../../parts/state.ts'
import { pager, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths, type Query, withQuery } from '../../visit/api-paths.ts'
import { NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'

/** Two years, the maximum range of the API. */
const DAYS = 730
const PAGES_SHOWN = 10
const TITLE_LENGTH_MAX = 140

const SOURCES: Readonly<Record<Feedback['source'], string>> = {
  thumbs_only: 'Vote',
  contextual: 'Vote with a comment',
  code_snippet: 'On code',
  agent: 'By an agent',
}
/** The labels of the buttons that set a state. */
const ACTIONS: Readonly<Record<Feedback['status'], string>> = {
  pending: 'Open again',
  in_progress: 'In progress',
  resolved: 'Resolve',
  dismissed: 'Dismiss',
}

/**
 * The shown part of the list; every form includes it, so that the person returns to the same place.
 */
type Place = {
  readonly status: Feedback['status'] | undefined
  readonly source: Feedback['source'] | undefined
  readonly cursor: string | undefined
}

function readPlace(values: URLSearchParams): Place {
  return {
    status: FEEDBACK_STATES.find((one) => one === values.get('status')),
    source: FEEDBACK_SOURCES.find((one) => one === values.get('source')),
    cursor: formValue(values, 'cursor') || undefined,
  }
}

const feedbackPath = ({ project, now }: ProjectScreen, rest: string, query: Query) =>
  apiPaths.analytics(project.id, `/feedback${rest}`, { dateFrom: firstDay(DAYS, now), ...query })

const onePath = ({ project }: ProjectScreen, id: string) =>
  apiPaths.analytics(project.id, `/feedback/${encodeURIComponent(id)}`)

export async function showFeedback(screen: ProjectScreen, problem?: string): Promise<Response> {
  const { visit, url, options } = screen
  const place = readPlace(url.searchParams)
  const { status, source } = place
  const listPath = feedbackPath(screen, '', place)
  const pagesPath = feedbackPath(screen, '/by-page', { status, source, limit: PAGES_SHOWN })
  const [{ feedback, nextCursor }, byPage] = await Promise.all([
    readApi(visit.api, FeedbackList, listPath),
    readApi(visit.api, PageFeedbackList, pagesPath),
  ])
  const items = feedback.map((one) => item(screen, one, place))
  const inbox = html`
    <section class="card" aria-label="Inbox">
      ${sourceForm(screen, place)}
      ${items.length === 0 ? nothing(place) : items}
      ${pager(url, { nextCursor })}
    </section>
  `
  return projectPage(screen, {
    section: 'feedback',
    title: 'Feedback',
    status: problem === undefined ? 200 : 409,
    body: html`
      ${pageHead({
        title: 'Feedback',
        lead: 'What readers and agents say about your pages. It is kept until you delete it.',
      })}
      ${problemNotice(problem)}
      ${pagesCard(screen, byPage)}
      ${tabs(screen, place)}
      ${inbox}
      ${equivalentCommands(...[listPath, pagesPath].map((path) => curlCommand({ url: options.url, path })))}
    `,
  })
}

function pagesCard(
  { site }: ProjectScreen,
  { feedback, hasMore }: ReturnType<typeof PageFeedbackList.parse>,
): HtmlPart {
  if (feedback.length === 0) return undefined
  const number = (label: string, count: number) => ({
    content: countText(count),
    isEnd: true,
    label,
  })
  const columns = ['Helpful', 'Not helpful', 'On code', 'Total']
  return card({
    title: 'By page',
    aside: hasMore && 'The ten with the most',
    isFlush: true,
    body: table({
      caption: 'Feedback by page',
      className: 'ranked',
      columns: [{ label: 'Page' }, ...columns.map((label) => ({ label, isEnd: true }))],
      rows: feedback.map(({ path, thumbsUp, thumbsDown, code, total }) => ({
        cells: [
          { content: pageLink(path, site.url), isLead: true },
          number('Helpful', thumbsUp),
          number('Not helpful', thumbsDown),
          number('On code', code),
          number('Total', total),
        ],
      })),
    }),
  })
}

function tabs({ path }: ProjectScreen, { status, source }: Place): Html {
  const links = [undefined, ...FEEDBACK_STATES].map((state) => {
    const label = state === undefined ? 'All' : inboxState(state).word
    return html`
      <a href="${withQuery(path('feedback'), { status: state, source })}"
        ${state === status && html` aria-current="page"`}>
        ${label}
      </a>
    `
  })
  return html`<nav class="tabs" aria-label="States">${links}</nav>`
}

function sourceForm({ path }: ProjectScreen, { status, source }: Place): Html {
  const choices = FEEDBACK_SOURCES.map(
    (one) =>
      html`<option value="${one}"${one === source && html` selected`}>${SOURCES[one]}</option>`,
  )
  return html`
    <form method="get" action="${path('feedback')}" class="list-bar" data-submit-on-change>
      ${hiddenFields({ status })}
      <span>The last two years, the newest first.</span>
      <div class="actions">
        <label class="sr-only" for="source">Source</label>
        <select id="source" name="source">
          <option value="">All sources</option>
          ${choices}
        </select>
        <button class="button" data-without-script>Show</button>
      </div>
    </form>
  `
}

function nothing({ status, source, cursor }: Place): Html {
  if (status !== undefined || source !== undefined || cursor !== undefined)
    return emptyState('No feedback here', 'Look at all of it, or at another state or source.')
  return emptyState(
    'No feedback yet',
    'When a reader says whether a page helped, or an agent reports a problem, it appears here.',
  )
}

function item(screen: ProjectScreen, feedback: Feedback, place: Place): Html {
  const { now, site, may } = screen
  const { id, path, comment, createdAt, source, status, helpful, contact } = feedback
  const vote =
    helpful !== undefined && stateTag(feedbackState(helpful ? 'helpful' : 'unhelpful'), true)
  return html`
    <article class="feedback" id="${id}" aria-label="Feedback on ${path}">
      <div>
        <h2>${pageLink(path, site.url)}</h2>
        <div class="sub">${vote}<span>${SOURCES[source]}</span>${timeTag(createdAt, now)}</div>
        ${comment !== undefined && html`<p class="comment">${comment}</p>`}
        ${codePart(feedback)}
        ${contact !== undefined && html`<p class="hint">Answer to: <b>${contact}</b></p>`}
      </div>
      <div>${stateTag(inboxState(status))}${may('feedback:write') && actions(screen, feedback, place)}</div>
    </article>
  `
}

function codePart({ code, filename, lang, path }: Feedback): HtmlPart {
  if (code === undefined) return undefined
  const name = [filename, lang].filter((part) => part !== undefined).join(', ')
  return html`
    <figure class="feedback-code">
      ${name !== '' && html`<figcaption class="hint">${name}</figcaption>`}
      <div class="code">
        <pre tabindex="0" aria-label="Code on ${path}">${code}</pre>
      </div>
    </figure>
  `
}

function actions({ visit, path }: ProjectScreen, { id, status }: Feedback, place: Place): Html {
  const buttons = FEEDBACK_STATES.filter((one) => one !== status).map((state) =>
    postButton({
      action: withQuery(path(`feedback/${id}`), place),
      token: visit.formToken,
      fields: { state },
      label: state === 'pending' && status === 'in_progress' ? 'Pending' : ACTIONS[state],
      look: 'small',
    }),
  )
  return html`
    <div class="actions">
      ${buttons}
      <a class="button small quiet danger" href="${withQuery(path(`feedback/${id}/delete`), place)}">
        ${icon('trash')}Delete…
      </a>
    </div>
  `
}

const listAddress = ({ path }: ProjectScreen, place: Place) => withQuery(path('feedback'), place)

export async function changeFeedback(
  screen: ProjectScreen,
  id: string,
  form: Form,
): Promise<Response> {
  const sent = await sendApi(screen.visit.api, Feedback, {
    method: 'POST',
    path: onePath(screen, id),
    body: { status: formValue(form, 'state') },
  })
  if (!sent.ok) return showFeedback(screen, sent.problem.detail)
  const list = listAddress(screen, readPlace(screen.url.searchParams))
  return redirect(`${list}#${encodeURIComponent(id)}`)
}

export async function showDeleteFeedback(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const { visit, path, options, url, now } = screen
  const place = readPlace(url.searchParams)
  // The API has no endpoint for a single item, so it is read from the list that the link came from.
  const list = await readApi(visit.api, FeedbackList, feedbackPath(screen, '', place))
  const found = list.feedback.find((one) => one.id === id)
  return confirmPage(screen, {
    section: 'feedback',
    title: 'Delete this feedback?',
    text: 'The vote, the comment, the code and how to answer are deleted, and it no longer counts in the summary by page. It cannot be undone.',
    facts: [
      found && ['Page', found.path],
      found?.comment === undefined ? undefined : ['Comment', shorten(found.comment)],
      found && ['Sent', timeTag(found.createdAt, now)],
      ['Id', html`<span class="mono">${id}</span>`],
    ],
    action: withQuery(path(`feedback/${encodeURIComponent(id)}/delete`), place),
    button: 'Delete the feedback',
    isDanger: true,
    back: { href: listAddress(screen, place), label: 'Feedback' },
    problem,
    same: [curlCommand({ url: options.url, method: 'DELETE', path: onePath(screen, id) })],
  })
}

const shorten = (text: string) =>
  text.length > TITLE_LENGTH_MAX ? `${text.slice(0, TITLE_LENGTH_MAX).trimEnd()}…` : text

export async function deleteFeedback(screen: ProjectScreen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: onePath(screen, id),
  })
  if (!sent.ok) return showDeleteFeedback(screen, id, sent.problem.detail)
  return redirect(listAddress(screen, readPlace(screen.url.searchParams)))
}
