import { WebhookReply, WebhookTestReply } from '@octavo/contract'
import { redirect } from '../../parts/document.ts'
import { notice, problemNotice } from '../../parts/notice.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { type FormProblem, NO_REPLY, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { showSettings } from './show.ts'
import { secretCard } from './webhook.ts'

const pathOf = ({ project }: ProjectScreen, rest = '') =>
  apiPaths.project(project.id, `/webhook${rest}`)

export async function saveWebhook(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, WebhookReply, {
    method: 'PUT',
    path: pathOf(screen),
    body: { url: formValue(form, 'url'), format: formValue(form, 'format') || undefined },
  })
  if (!sent.ok) return showSettings(screen, { attempt: { form, problem: sent.problem } })
  const { format, secret } = sent.data
  // The secret of a Slack webhook is not shown, since Slack does not check signatures.
  if (format === 'slack' || secret === undefined) return redirect(screen.path('settings?saved'))
  return showSettings(screen, { result: secretCard(secret) })
}

export async function testWebhook(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, WebhookTestReply, {
    method: 'POST',
    path: pathOf(screen, '/test'),
  })
  if (!sent.ok) return showAgain(screen, sent.problem)
  const { delivered, status, reason = '' } = sent.data
  const result = delivered
    ? notice({
        tone: 'good',
        text: `The test was delivered: your server responded with ${status}.`,
      })
    : notice({ tone: 'bad', title: 'The test was not delivered.', text: sentence(reason) })
  return showSettings(screen, { result })
}

const sentence = (reason: string) => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`

export async function removeWebhook(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: pathOf(screen),
  })
  return sent.ok ? redirect(screen.path('settings?saved')) : showAgain(screen, sent.problem)
}

const showAgain = (screen: ProjectScreen, { status, detail }: FormProblem) =>
  showSettings(screen, { result: problemNotice(detail), status })
