/** Forms that set the state of feedback, or delete it after a confirmation. */
import { FEEDBACK_STATES, Feedback, FeedbackList } from '@octavo/contract'
import { curlCommand } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { html } from '../../parts/html.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths, withQuery } from '../../visit/api-paths.ts'
import { NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { commentsPath, listAddress, placeQuery, readPlace } from './filter.ts'
import { showFeedback } from './list.ts'

const TITLE_LENGTH_MAX = 140

const onePath = ({ project }: ProjectScreen, id: string) =>
  apiPaths.analytics(project.id, `/feedback/${encodeURIComponent(id)}`)

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
  const was = FEEDBACK_STATES.find((state) => state === formValue(form, 'was'))
  const place = placeQuery(readPlace(screen.url.searchParams))
  // Undo sends no former state, so the page after it offers no Undo.
  const change = was && { changed: id, now: formValue(form, 'state'), was }
  return redirect(withQuery(screen.path('feedback'), { ...place, ...change }))
}

export async function showDeleteFeedback(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const { visit, path, options, url, now } = screen
  const place = readPlace(url.searchParams)
  // The API has no endpoint for a single item, so this reads the list that the link came from.
  const list = await readApi(visit.api, FeedbackList, commentsPath(screen, place))
  const found = list.feedback.find((one) => one.id === id)
  return confirmPage(screen, {
    section: 'feedback',
    title: 'Delete this feedback?',
    text: 'The vote, the comment, the code and the contact are deleted, and the vote no longer counts in the page’s summary. This cannot be undone.',
    facts: [
      found && ['Page', found.path],
      found?.comment === undefined ? undefined : ['Comment', shorten(found.comment)],
      found && ['Sent', timeTag(found.createdAt, now)],
      ['ID', html`<span class="mono">${id}</span>`],
    ],
    action: withQuery(path(`feedback/${encodeURIComponent(id)}/delete`), placeQuery(place)),
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
