/** Deletes a conversation after a confirmation, or creates a gap from it. */
import { Gap } from '@octavo/contract'
import { curlCommand } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { NO_REPLY, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { readConversation, shorten, showConversation } from './show.ts'

export async function showDeleteConversation(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const conversation = await readConversation(screen, id)
  const { path, options, project, now } = screen
  return confirmPage(screen, {
    section: 'conversations',
    title: 'Delete this conversation?',
    text: 'The question, the answer, the sources and the reader’s note are deleted. This cannot be undone. Copies that were already exported are not affected.',
    facts: [
      ['Question', shorten(conversation.query)],
      ['Asked', timeTag(conversation.timestamp, now)],
      ['Sources', String(conversation.sources.length)],
    ],
    action: path(`conversations/${id}/delete`),
    button: 'Delete the conversation',
    isDanger: true,
    back: { href: path(`conversations/${id}`), label: 'Conversation' },
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: 'DELETE',
        path: apiPaths.analytics(project.id, `/assistant/${id}`),
      }),
    ],
  })
}

export async function deleteConversation(screen: ProjectScreen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: apiPaths.analytics(screen.project.id, `/assistant/${encodeURIComponent(id)}`),
  })
  if (!sent.ok) return showDeleteConversation(screen, id, sent.problem.detail)
  return redirect(screen.path('conversations'))
}

export async function addToGap(screen: ProjectScreen, form: Form, id: string): Promise<Response> {
  const page = formValue(form, 'page')
  const sent = await sendApi(screen.visit.api, Gap, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/gaps'),
    body: { conversation: id, ...(form.has('page') && { page }) },
  })
  if (!sent.ok) return showConversation(screen, id, sent.problem)
  return redirect(screen.path(`conversations/${encodeURIComponent(id)}?added`))
}
