/** `/organizations/:id`: its name, projects and audit log, and its deletion. */
import { AuditList, OrganizationReply, ROLE_SCOPES } from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { confirmAccountPage, otherProblem, proofNotice } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { postForm, textField } from '../../parts/form.ts'
import { accountPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { problemNotice, savedNotice } from '../../parts/notice.ts'
import { OFF, stateTag } from '../../parts/state.ts'
import { table } from '../../parts/table.ts'
import { apiPaths, withQuery } from '../../visit/api-paths.ts'
import { errorOf, generalError, NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type Screen } from '../../visit/screen.ts'
import { entryList } from '../audit/entries.ts'
import { ROLE_NAMES } from '../members/role-words.ts'

const EVENTS_SHOWN = 10
const ALL_PROJECTS = { href: '/', label: 'Projects' }
const pathOf = (id: string, rest = '') => `/organizations/${encodeURIComponent(id)}${rest}`
const isOwner = ({ role }: OrganizationReply) => ROLE_SCOPES[role].includes('project:delete')

const read = ({ visit }: Screen, id: string) =>
  readApi(visit.api, OrganizationReply, apiPaths.organization(id))

export async function showOrganization(
  screen: Screen,
  id: string,
  attempt?: Attempt,
): Promise<Response> {
  const organization = await read(screen, id)
  const { name, role } = organization
  const saved = savedNotice(screen.url, attempt, 'The name was changed.')
  const events = ROLE_SCOPES[role].includes('audit:read') && (await eventCard(screen, id))
  const parts = html`
    ${isOwner(organization) && renameForm(screen, organization, attempt)}
    ${projectCard(organization)}
    ${events}
    ${isOwner(organization) && dangerCard(organization)}
  `
  return accountPage(screen, {
    title: name,
    status: attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: name,
        lead: `You are ${ROLE_NAMES[role].toLowerCase()} of this organization.`,
        back: ALL_PROJECTS,
      })}
      ${saved}
      <div class="stack">${parts}</div>
      ${equivalentCommands(
        curlCommand({
          url: screen.options.url,
          path: apiPaths.organization(id),
          isForPeople: true,
        }),
      )}
    `,
  })
}

export async function renameOrganization(
  screen: Screen,
  id: string,
  form: Form,
): Promise<Response> {
  const sent = await sendApi(screen.visit.api, OrganizationReply, {
    method: 'PUT',
    path: apiPaths.organization(id),
    body: { name: formValue(form, 'name') },
  })
  if (!sent.ok) return showOrganization(screen, id, { form, problem: sent.problem })
  return redirect(pathOf(id, '?saved'))
}

function renameForm(
  { visit }: Screen,
  { id, name }: OrganizationReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  return postForm({
    action: pathOf(id),
    token: visit.formToken,
    className: 'card',
    body: html`
      <div class="card-head"><h2>Name</h2></div>
      <div class="card-body stack">
        ${problemNotice(generalError(problem, ['name']))}
        ${textField({
          name: 'name',
          label: 'Name',
          value: form === undefined ? name : formValue(form, 'name'),
          isRequired: true,
          maxLength: 200,
          error: errorOf(problem, 'name'),
        })}
      </div>
      <div class="card-foot">
        <button class="button primary end">Rename</button>
      </div>
    `,
  })
}

function projectCard({ name, projects }: OrganizationReply): Html {
  const rows = projects.map((project) => ({
    cells: [
      {
        isLead: true,
        content: html`
          <a class="main" href="/projects/${project.id}">${project.name}</a>
          <div class="sub">${project.slug}</div>
        `,
      },
      { content: html`<code>${project.id}</code>`, className: 'whole' },
      { content: project.archived && stateTag(OFF('Archived')), isEnd: true },
    ],
  }))
  return card({
    title: 'Projects',
    isFlush: true,
    body:
      rows.length === 0
        ? emptyState(
            'No projects yet',
            html`<a href="/#new">Create one</a>, or delete the organization.`,
          )
        : table({
            caption: `Projects of ${name}`,
            columns: [
              { label: 'Project' },
              { label: 'Project ID' },
              { label: 'State', isEnd: true },
            ],
            rows,
          }),
  })
}

/**
 * Renders the newest entries of the organization's log, also about deleted projects, whose own log
 * is deleted with them.
 */
async function eventCard({ visit, now }: Screen, id: string): Promise<Html> {
  const path = withQuery(apiPaths.organization(id, '/audit'), { limit: EVENTS_SHOWN })
  const { entries } = await readApi(visit.api, AuditList, path)
  return card({
    title: 'Audit log',
    aside: html`<a href="${pathOf(id, '/audit')}">All entries</a>`,
    isFlush: true,
    body:
      entries.length === 0
        ? emptyState('No entries yet', 'Changes of people and projects appear here.')
        : entryList({ entries, now, isBelowHeading: true }),
  })
}

function dangerCard({ id }: OrganizationReply): Html {
  return card({
    title: 'Danger',
    body: html`<p>An organization can be deleted when it has no projects.</p>`,
    foot: html`<a class="button danger end" href="${pathOf(id, '/delete')}">Delete the organization…</a>`,
  })
}

export async function showDeleteOrganization(
  screen: Screen,
  id: string,
  attempt?: Attempt,
): Promise<Response> {
  const { name, projects } = await read(screen, id)
  const problem = attempt?.problem
  const path = pathOf(id, '/delete')
  const list = projects.map((project) => html`<div>${project.name}</div>`)
  return confirmAccountPage(screen, {
    title: `Delete “${name}”?`,
    text: 'Its members lose their roles at once. After 7 days the organization is permanently deleted, with its invitations and its audit log.',
    facts: [['Delete or transfer first', projects.length === 0 ? 'None' : list]],
    extra: html`
      ${proofNotice(problem, path)}
      ${textField({
        name: 'name',
        label: `Type ${name} to confirm`,
        value: formValue(attempt?.form, 'name'),
        isRequired: true,
        maxLength: 200,
        error: errorOf(problem, 'name'),
      })}
    `,
    action: path,
    button: 'Delete the organization',
    isDanger: true,
    back: { href: pathOf(id), label: name },
    problem: otherProblem(problem, 'name'),
    status: problem?.status,
    same: [
      curlCommand({ url: screen.options.url, path: apiPaths.organization(id), isForPeople: true }),
    ],
  })
}

export async function deleteOrganization(
  screen: Screen,
  id: string,
  form: Form,
): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'POST',
    path: apiPaths.organization(id, '/delete'),
    body: { name: formValue(form, 'name') },
  })
  if (sent.ok) return redirect('/')
  return showDeleteOrganization(screen, id, { form, problem: sent.problem })
}
