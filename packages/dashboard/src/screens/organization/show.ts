/**
 * `/organizations/:id`: the organization's name, projects and audit log, and the link to delete it.
 */
import { AuditList, OrganizationReply, ROLE_SCOPES } from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { confirmAccountPage, otherProblem, proofNotice } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { postForm, textField } from '../../parts/form.ts'
import { accountPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { problemNotice, savedNotice } from '../../parts/notice.ts'
import { countOf, countText } from '../../parts/number.ts'
import { actionRow, dangerZone } from '../../parts/settings-row.ts'
import { OFF, stateTag } from '../../parts/state.ts'
import { table } from '../../parts/table.ts'
import { apiPaths, withQuery } from '../../visit/api-paths.ts'
import { errorOf, generalError, NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type Screen } from '../../visit/screen.ts'
import { entryList } from '../audit/entries.ts'
import { ROLE_NAMES } from '../members/role-words.ts'

const EVENTS_SHOWN = 10
const PROJECTS_SHOWN = 10
const PROJECTS_NAMED = 5
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
          className: 'width-l',
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

function projectCard({ id, name, projects }: OrganizationReply): Html {
  const all = projects.length > PROJECTS_SHOWN && `All ${countText(projects.length)}`
  const rows = projects.slice(0, PROJECTS_SHOWN).map((project) => ({
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
    aside: all && html`<a class="link" href="${withQuery('/', { organization: id })}">${all}</a>`,
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
 * Renders the newest entries of the organization's log. They also cover deleted projects, whose own
 * logs are deleted with them.
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
        ? emptyState('No entries yet', 'Changes to members and projects appear here.')
        : entryList({ entries, now, isBelowHeading: true }),
  })
}

function dangerCard({ id, projects }: OrganizationReply): Html {
  const first =
    projects.length > 0 &&
    ` Delete or transfer its ${countOf(projects.length, 'project')} before that.`
  return dangerZone([
    actionRow({
      title: 'Delete the organization',
      text: html`All members lose their roles. Its invitations and its audit log are deleted after 7 days.${first}`,
      action: html`<a class="button danger" href="${pathOf(id, '/delete')}">Delete…</a>`,
    }),
  ])
}

/** Names the first projects that prevent the deletion, and links to all of them. */
function remainingProjects({ id, projects }: OrganizationReply): HtmlPart {
  if (projects.length === 0) return 'None'
  const named = projects.slice(0, PROJECTS_NAMED).map((project) => html`<div>${project.name}</div>`)
  const more = projects.length - named.length
  return html`
    ${named}
    ${
      more > 0 &&
      html`<div><a class="link" href="${withQuery('/', { organization: id })}">and ${countText(more)} more</a></div>`
    }
  `
}

export async function showDeleteOrganization(
  screen: Screen,
  id: string,
  attempt?: Attempt,
): Promise<Response> {
  const organization = await read(screen, id)
  const { name, projects } = organization
  const problem = attempt?.problem
  const path = pathOf(id, '/delete')
  return confirmAccountPage(screen, {
    title: `Delete “${name}”?`,
    text: 'All members lose their roles immediately. After 7 days, the organization is permanently deleted, with its invitations and its audit log.',
    facts: [
      [
        'Projects to delete or transfer first',
        html`${projects.length > 0 && html`<b>${countText(projects.length)}</b>`} ${remainingProjects(organization)}`,
      ],
    ],
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
