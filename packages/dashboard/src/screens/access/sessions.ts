/**
 * `/projects/:id/access/end-sessions`: signs all readers out, and also deletes all reader tokens if
 * chosen.
 */
import { curlCommand } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { checkbox } from '../../parts/form.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { type FormProblem, NO_REPLY, sendApi } from '../../visit/call-api.ts'
import type { Form, ProjectScreen } from '../../visit/screen.ts'

export function showEndSessions(screen: ProjectScreen, problem?: FormProblem): Response {
  const { path, project, options } = screen
  return confirmPage(screen, {
    section: 'access',
    title: 'End all sessions?',
    text: 'All readers have to sign in again. Their sessions end within a second.',
    extra: checkbox({
      name: 'tokens',
      value: 'delete',
      label: 'Also revoke all reader tokens',
      hint: 'Agents, CI jobs and link checkers lose access.',
      isChecked: false,
    }),
    action: path('access/end-sessions'),
    button: 'End all sessions',
    isDanger: true,
    back: { href: path('access'), label: 'Site access' },
    problem: problem?.detail,
    same: [
      curlCommand({
        url: options.url,
        method: 'POST',
        path: apiPaths.project(project.id, '/access/end-sessions'),
      }),
    ],
  })
}

export async function endSessions(screen: ProjectScreen, form: Form): Promise<Response> {
  const { api } = screen.visit
  const path = apiPaths.project(screen.project.id, '/access')
  const ended = await sendApi(api, NO_REPLY, { method: 'POST', path: `${path}/end-sessions` })
  if (!ended.ok) return showEndSessions(screen, ended.problem)
  if (form.get('tokens') === 'delete') {
    const deleted = await sendApi(api, NO_REPLY, { method: 'DELETE', path: `${path}/tokens` })
    if (!deleted.ok) return showEndSessions(screen, deleted.problem)
  }
  return redirect(screen.path('access'))
}
