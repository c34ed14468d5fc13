/**
 * Pages and forms that publish and roll back deployments, lock publishing, and manage branch
 * previews.
 */
import { Deployment, PreviewList, PublicationReply } from '@octavo/contract'
import { curlCommand, shellWord } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { checkbox, textField } from '../../parts/form.ts'
import { html } from '../../parts/html.ts'
import { exactText } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { ApiFailure, type FormProblem, NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { numberedName } from './rows.ts'

/** The maximum number of pages with wider access to list for a rollback. */
const WIDER_ACCESS_MAX = 50

export async function showPublish(
  screen: ProjectScreen,
  id: string,
  problem?: FormProblem,
): Promise<Response> {
  const { visit, project, path, site, options } = screen
  const looser = problem?.param === 'acceptLooser' ? (problem.errors ?? []) : []
  const one = (deployment: string) =>
    readApi(visit.api, Deployment, apiPaths.project(project.id, `/deployments/${deployment}`))
  const [deployment, live] = await Promise.all([
    one(encodeURIComponent(id)),
    site.live === null ? undefined : one(site.live),
  ])
  const isOlder = live !== undefined && deployment.number < live.number
  const name = numberedName(deployment)
  const command = `octavo deployments ${isOlder ? 'rollback' : 'publish'} ${deployment.number} --service ${options.url} --project ${project.id}`
  return confirmPage(screen, {
    section: 'deployments',
    title: isOlder ? `Roll back to ${name}?` : `Publish ${name}?`,
    text: isOlder
      ? 'Readers see the older deployment within seconds. Publishing is then locked, so that the next push does not undo it.'
      : 'Readers see the new deployment within seconds.',
    facts: [
      ['Goes live', `${name}, ${exactText(deployment.createdAt)}`],
      live && ['Live now', numberedName(live)],
      ['Not affected', 'Both deployments are kept. You can go back at any time.'],
    ],
    action: path(`deployments/${id}/publish`),
    fields: { expectedLive: site.live ?? '' },
    extra:
      looser.length > 0 &&
      html`
        <p>More readers than now could read these pages:</p>
        <ul>
          ${looser.slice(0, WIDER_ACCESS_MAX).map(({ path }) => html`<li><code>${path}</code></li>`)}
          ${looser.length > WIDER_ACCESS_MAX && html`<li>and ${looser.length - WIDER_ACCESS_MAX} more</li>`}
        </ul>
        ${checkbox({ name: 'acceptLooser', value: 'yes', label: 'Allow wider access', isChecked: false })}
      `,
    button: isOlder ? 'Roll back' : 'Publish',
    back: { href: path(`deployments/${id}`), label: name },
    problem: problem?.detail,
    same: [
      curlCommand({
        url: options.url,
        method: 'POST',
        path: apiPaths.project(project.id, `/deployments/${id}/publish`),
        body: { expectedLive: site.live },
      }),
      command,
    ],
  })
}

/**
 * Publishes a deployment. If another deployment went live in the meantime, the API rejects the
 * request and the page is shown again.
 */
export async function publish(screen: ProjectScreen, id: string, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, PublicationReply, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, `/deployments/${encodeURIComponent(id)}/publish`),
    body: {
      expectedLive: formValue(form, 'expectedLive') || null,
      ...(formValue(form, 'acceptLooser') !== '' && { acceptLooser: true }),
    },
  })
  if (!sent.ok) return showPublish(screen, id, sent.problem)
  return redirect(screen.path(`deployments/${id}`))
}

export function showLock(screen: ProjectScreen, form?: Form, problem?: string): Response {
  const { path, options, project } = screen
  return confirmPage(screen, {
    section: 'deployments',
    title: 'Lock publishing?',
    text: 'New deployments are uploaded but not published. The live site does not change until you unlock publishing.',
    extra: textField({
      name: 'reason',
      label: 'Reason',
      value: formValue(form, 'reason'),
      isRequired: true,
      maxLength: 1_000,
      hint: 'Everyone who deploys sees this reason.',
    }),
    action: path('lock'),
    button: 'Lock publishing',
    back: { href: path('deployments'), label: 'Deployments' },
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: 'POST',
        path: apiPaths.project(project.id, '/lock'),
        body: { reason: 'Release on Monday' },
      }),
      `octavo deployments lock --reason 'Release on Monday' --service ${options.url} --project ${project.id}`,
    ],
  })
}

export async function lock(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, PublicationReply, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/lock'),
    body: { reason: formValue(form, 'reason') },
  })
  if (!sent.ok) return showLock(screen, form, sent.problem.detail)
  return redirect(screen.path('deployments'))
}

export function showUnlock(screen: ProjectScreen, problem?: string): Response {
  const { path, options, project, site } = screen
  return confirmPage(screen, {
    section: 'deployments',
    title: 'Unlock publishing?',
    text: 'The next deployment is published automatically. Deployments that were uploaded while publishing was locked are not published.',
    facts: [['Reason for the lock', site.lockReason ?? 'Publishing is not locked.']],
    action: path('unlock'),
    button: 'Unlock publishing',
    back: { href: path('deployments'), label: 'Deployments' },
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: 'POST',
        path: apiPaths.project(project.id, '/unlock'),
      }),
      `octavo deployments unlock --service ${options.url} --project ${project.id}`,
    ],
  })
}

export async function unlock(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, PublicationReply, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/unlock'),
  })
  if (!sent.ok) return showUnlock(screen, sent.problem.detail)
  return redirect(screen.path('deployments'))
}

async function findPreview({ visit, project }: ProjectScreen, name: string) {
  const { previews } = await readApi(
    visit.api,
    PreviewList,
    apiPaths.project(project.id, '/previews'),
  )
  const found = previews.find((preview) => preview.name === name)
  if (found !== undefined) return found
  throw new ApiFailure({ status: 404, code: 'not-found', detail: 'This preview does not exist.' })
}

export async function showPreviewChange(
  screen: ProjectScreen,
  name: string,
  { kind, problem }: { readonly kind: 'approve' | 'delete'; readonly problem?: string },
): Promise<Response> {
  const { path, options, project } = screen
  const { branch, deployment, number } = await findPreview(screen, name)
  const isDelete = kind === 'delete'
  return confirmPage(screen, {
    section: 'deployments',
    title: isDelete ? `Delete the preview of ${branch}?` : `Allow scripts from ${branch}?`,
    text: isDelete
      ? 'The address of the preview stops working within seconds and is never used again. The deployment is kept.'
      : 'Scripts and components from this fork will run in the browser of everyone who opens its preview. This applies only to this deployment.',
    facts: [
      ['Branch', branch],
      ['Deployment', html`<a href="${path(`deployments/${deployment}`)}">#${number}</a>`],
    ],
    action: path(`previews/${name}/${kind}`),
    fields: { deployment },
    button: isDelete ? 'Delete the preview' : 'Allow scripts',
    isDanger: isDelete,
    back: { href: path('previews'), label: 'Previews' },
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: isDelete ? 'DELETE' : 'POST',
        path: apiPaths.project(project.id, `/previews/${name}${isDelete ? '' : '/approve'}`),
        ...(isDelete ? {} : { body: { deployment } }),
      }),
      `octavo deployments ${kind}-preview ${shellWord(branch)} --service ${options.url} --project ${project.id}`,
    ],
  })
}

export async function changePreview(
  screen: ProjectScreen,
  name: string,
  { kind, form }: { readonly kind: 'approve' | 'delete'; readonly form: Form },
): Promise<Response> {
  const one = `/previews/${encodeURIComponent(name)}`
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    ...(kind === 'delete'
      ? ({ method: 'DELETE', path: apiPaths.project(screen.project.id, one) } as const)
      : ({
          method: 'POST',
          path: apiPaths.project(screen.project.id, `${one}/approve`),
          body: { deployment: formValue(form, 'deployment') },
        } as const)),
  })
  if (!sent.ok) return showPreviewChange(screen, name, { kind, problem: sent.problem.detail })
  return redirect(screen.path('previews'))
}
