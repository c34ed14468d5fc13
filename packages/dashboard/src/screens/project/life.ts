/** Pages to archive, restore, transfer and delete a project, which explain the consequences. */
import { DeletedProject, ProjectContents } from '@octavo/contract'
import { emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { confirmPage, otherProblem, proofNotice } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { checkbox, selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { hostOf } from '../../parts/link.ts'
import { bytesText, countOf, countText } from '../../parts/number.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { errorOf, NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'

const backOf = ({ path }: ProjectScreen) => ({ href: path('settings'), label: 'Settings' })
const siteOf = ({ site, project }: ProjectScreen) =>
  site.url === undefined ? project.slug : hostOf(site.url)

export function showArchive(screen: ProjectScreen, problem?: string): Response {
  const { path, project, options } = screen
  return confirmPage(screen, {
    section: 'settings',
    title: `Archive “${project.name}”?`,
    text: html`Nothing is deleted, and you can restore the project at any time. Until then:`,
    facts: [
      [
        'Site',
        html`<b>${siteOf(screen)}</b> and its previews show that the site is archived (410)`,
      ],
      ['Stops', 'Deployments, builds, imports and questions to the assistant'],
      ['Still works', 'This dashboard, exports, revoking keys, deleting conversations'],
    ],
    action: path('archive'),
    button: 'Archive the project',
    back: backOf(screen),
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: 'POST',
        path: apiPaths.project(project.id, '/archive'),
        isForPeople: true,
      }),
      `octavo-service project archive ${project.id}`,
    ],
  })
}

export function showRestore(screen: ProjectScreen, problem?: string): Response {
  const { path, project, options } = screen
  return confirmPage(screen, {
    section: 'settings',
    title: `Restore “${project.name}”?`,
    text: html`
      <b>${siteOf(screen)}</b> is online again within seconds, as it was. Commits that were pushed in the
      meantime are built.
    `,
    action: path('restore'),
    button: 'Restore the project',
    back: backOf(screen),
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: 'POST',
        path: apiPaths.project(project.id, '/restore'),
        isForPeople: true,
      }),
      `octavo-service project restore ${project.id}`,
    ],
  })
}

export async function changeArchive(
  screen: ProjectScreen,
  action: 'archive' | 'restore',
): Promise<Response> {
  const path = apiPaths.project(screen.project.id, `/${action}`)
  const sent = await sendApi(screen.visit.api, NO_REPLY, { method: 'POST', path })
  if (sent.ok) return redirect(screen.path('settings'))
  const show = action === 'archive' ? showArchive : showRestore
  return show(screen, sent.problem.detail)
}

const readContents = ({ visit, project }: ProjectScreen) =>
  readApi(visit.api, ProjectContents, apiPaths.project(project.id, '/contents'))

/** Renders the field in which a person types the slug to confirm which project they mean. */
const slugField = ({ project }: ProjectScreen, attempt: Attempt | undefined) =>
  textField({
    name: 'slug',
    label: `Type ${project.slug} to confirm`,
    value: formValue(attempt?.form, 'slug'),
    isRequired: true,
    maxLength: 50,
    error: errorOf(attempt?.problem, 'slug'),
  })

export async function showTransfer(screen: ProjectScreen, attempt?: Attempt): Promise<Response> {
  const { path, project, organization, me } = screen
  const contents = await readContents(screen)
  const problem = attempt?.problem
  const owned = me.organizations.filter(
    ({ id, role }) => role === 'owner' && id !== organization.id,
  )
  const title = `Transfer “${project.name}”`
  if (owned.length === 0)
    return projectPage(screen, {
      section: 'settings',
      title,
      body: html`
        ${pageHead({ title, back: backOf(screen) })}
        <section class="card narrow">
          ${emptyState(
            'You own no other organization',
            html`
              You can transfer <b>${project.name}</b> only to an organization that you own. Ask an owner of the
              other organization to make you an owner.
            `,
          )}
        </section>
        ${equivalentCommands(
          curlCommand({ url: screen.options.url, path: apiPaths.me(), isForPeople: true }),
        )}
      `,
    })
  const choices = owned.map(({ id, name }) => ({ value: id, label: name }))
  return confirmPage(screen, {
    section: 'settings',
    title,
    text: html`
      The project leaves <b>${organization.name}</b>. Its members lose access immediately, and its files count toward
      the storage of the other organization.
    `,
    facts: [
      [
        'Moves with the project',
        'The site and its address, deployments, conversations, the audit log',
      ],
      ['Ends', `Roles and invitations of members of ${organization.name}`],
    ],
    extra: html`
      ${proofNotice(problem, path('transfer'))}
      ${selectField({
        name: 'organization',
        label: 'To',
        value: formValue(attempt?.form, 'organization'),
        choices,
        error: errorOf(problem, 'organization'),
      })}
      ${revokeField(contents, attempt)}
      ${slugField(screen, attempt)}
    `,
    action: path('transfer'),
    button: 'Transfer the project',
    isDanger: true,
    back: backOf(screen),
    problem: otherProblem(problem, 'slug', 'organization'),
    status: problem?.status,
    same: [curlCommand({ url: screen.options.url, path: apiPaths.me(), isForPeople: true })],
  })
}

/** Checked by default, since the old owner may have shared these credentials. */
function revokeField(contents: ProjectContents, attempt: Attempt | undefined): Html {
  const { keys, readerTokens, trusted, connected } = contents
  const repositories = countOf(trusted, 'repository', 'repositories')
  return checkbox({
    name: 'revoke',
    value: 'on',
    label: `Revoke the project’s ${countOf(keys, 'API key')} and ${countOf(readerTokens, 'reader token')}`,
    hint: html`
      ${trusted > 0 && `CI jobs of ${repositories} can no longer deploy. `}
      ${connected && 'The Git repository is disconnected until you connect it again. '}If you uncheck this,
      everyone who uses these keys and tokens keeps access.
    `,
    isChecked: attempt === undefined || attempt.form.has('revoke'),
  })
}

export async function transferProject(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/transfer'),
    body: {
      slug: formValue(form, 'slug'),
      organization: formValue(form, 'organization'),
      revoke: form.has('revoke'),
    },
  })
  if (sent.ok) return redirect(screen.path('settings'))
  return showTransfer(screen, { form, problem: sent.problem })
}

export async function showDelete(screen: ProjectScreen, attempt?: Attempt): Promise<Response> {
  const { path, project } = screen
  const counts = await readContents(screen)
  const problem = attempt?.problem
  return confirmPage(screen, {
    section: 'settings',
    title: `Delete “${project.name}”?`,
    text: html`
      <b>${siteOf(screen)}</b>, its previews and its API go offline immediately. After 7 days everything below is
      permanently deleted. Until then, the operator of this service can restore the project.
    `,
    facts: [
      ['Deployments', countText(counts.deployments)],
      ['Previews', countText(counts.previews)],
      ['Conversations', countText(counts.conversations)],
      ['Gaps', countText(counts.gaps)],
      ['Active API keys', countText(counts.keys)],
      ['Stored files', bytesText(counts.bytes)],
      ['Also', 'Repository connection, secrets, builds with logs, audit log'],
    ],
    extra: html`${proofNotice(problem, path('delete'))}${slugField(screen, attempt)}`,
    action: path('delete'),
    button: 'Delete the project',
    isDanger: true,
    back: backOf(screen),
    problem: otherProblem(problem, 'slug'),
    status: problem?.status,
    same: [`octavo-service project delete ${project.id} --yes ${project.slug}`],
  })
}

export async function deleteProject(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, DeletedProject, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/delete'),
    body: { slug: formValue(form, 'slug') },
  })
  if (sent.ok) return redirect('/?deleted')
  return showDelete(screen, { form, problem: sent.problem })
}
