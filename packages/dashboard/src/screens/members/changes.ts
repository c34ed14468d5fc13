/** Forms that change the roles of members, and remove members and invitations. */
import { type Invitation, InvitationList, Member, ROLES, type Role } from '@octavo/contract'
import { curlCommand } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { selectField } from '../../parts/form.ts'
import { html } from '../../parts/html.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { ApiFailure, type FormProblem, NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, grantableRoles, type ProjectScreen } from '../../visit/screen.ts'
import { ROLE_NAMES } from './role-words.ts'

const NO_ROLE = 'none'

const memberPath = ({ project }: ProjectScreen, id: string) =>
  apiPaths.project(project.id, `/members/${encodeURIComponent(id)}`)

const findMember = (screen: ProjectScreen, id: string) =>
  readApi(screen.visit.api, Member, memberPath(screen, id))

const invitationPath = ({ project }: ProjectScreen, id: string) =>
  apiPaths.project(project.id, `/invitations/${encodeURIComponent(id)}`)

const back = ({ path }: ProjectScreen) => ({ href: path('members'), label: 'Members' })

export async function showRole(
  screen: ProjectScreen,
  id: string,
  attempt?: { readonly form: Form; readonly problem: FormProblem },
): Promise<Response> {
  const member = await findMember(screen, id)
  const { organization, project, path, options } = screen
  const inProject = member.projects.find((one) => one.id === project.id)?.role
  const grantable = grantableRoles(screen)
  const choices = [
    { value: NO_ROLE, label: 'No role' },
    ...ROLES.filter(
      (role) => role === member.role || role === inProject || grantable.includes(role),
    ).map((role) => ({ value: role as string, label: ROLE_NAMES[role] })),
  ]
  const field = (name: string, label: string, role: Role | null | undefined) =>
    selectField({
      name,
      label,
      choices,
      value: formValue(attempt?.form, name) || (role ?? NO_ROLE),
    })
  return confirmPage(screen, {
    section: 'members',
    title: `Roles of ${member.name}`,
    text: 'In this project, the higher of the two roles applies. You cannot grant a role above your own.',
    extra: html`
      <div class="form-grid">
        ${
          organization.role !== null &&
          field('organization', `In ${organization.name}, for all projects`, member.role)
        }
        ${field('project', `In ${project.name}`, inProject)}
      </div>
    `,
    action: path(`members/${id}/role`),
    button: 'Change roles',
    back: back(screen),
    problem: attempt?.problem.detail,
    same: [
      curlCommand({
        url: options.url,
        method: 'PUT',
        path: memberPath(screen, id),
        isForPeople: true,
        body: { role: 'editor', project: project.id },
      }),
    ],
  })
}

export async function changeRole(screen: ProjectScreen, id: string, form: Form): Promise<Response> {
  const member = await findMember(screen, id)
  const { organization, project, visit } = screen
  const inProject = member.projects.find((one) => one.id === project.id)?.role ?? null
  const wanted = (name: string) =>
    formValue(form, name) === NO_ROLE ? null : (formValue(form, name) as Role)
  const changes = [
    ...(organization.role === null
      ? []
      : [{ before: member.role, role: wanted('organization'), part: {} }]),
    { before: inProject, role: wanted('project'), part: { project: project.id } },
  ]
  for (const { before, role, part } of changes) {
    if (before === role) continue
    const sent = await sendApi(visit.api, NO_REPLY, {
      method: 'PUT',
      path: memberPath(screen, id),
      body: { role, ...part },
    })
    if (!sent.ok) return showRole(screen, id, { form, problem: sent.problem })
  }
  return redirect(screen.path('members'))
}

export async function showRemoveMember(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const member = await findMember(screen, id)
  const { organization, project, path, options, visit } = screen
  const isMe = id === visit.person.id
  const isWhole = organization.role !== null
  const place = isWhole ? organization.name : project.name
  return confirmPage(screen, {
    section: 'members',
    title: isMe ? `Leave ${place}?` : `Remove ${member.name}?`,
    text: isMe
      ? `You lose ${isWhole ? 'all roles in the organization and its projects' : 'your role in this project'} immediately. To come back, you need an invitation.`
      : html`
        <b>${member.name}</b> (${member.email})
        loses ${isWhole ? `all roles in ${place} and its projects` : `the role in ${place}`} at once.
      `,
    facts: [
      ['Not affected', `${isMe ? 'Your' : 'The person’s'} deployments and the audit log`],
      [
        'Keys',
        isMe
          ? 'API keys that you created stay valid. Revoke those that you no longer need.'
          : 'API keys that this person created stay valid. Revoke the keys that the person may still have.',
      ],
    ],
    action: path(`members/${id}/remove`),
    button: isMe ? 'Leave' : 'Remove the member',
    isDanger: true,
    back: back(screen),
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: 'DELETE',
        path: memberPath(screen, id),
        isForPeople: true,
      }),
    ],
  })
}

export async function removeMember(screen: ProjectScreen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: memberPath(screen, id),
  })
  if (!sent.ok) return showRemoveMember(screen, id, sent.problem.detail)
  return redirect(id === screen.visit.person.id ? '/' : screen.path('members'))
}

export async function showRemoveInvitation(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const { visit, project, path, options } = screen
  const listPath = apiPaths.project(project.id, '/invitations')
  const { invitations } = await readApi(visit.api, InvitationList, listPath)
  const found: Invitation | undefined = invitations.find((one) => one.id === id)
  if (found === undefined)
    throw new ApiFailure({
      status: 404,
      code: 'not-found',
      detail: 'This invitation does not exist.',
    })
  return confirmPage(screen, {
    section: 'members',
    title: `Revoke the invitation for ${found.email}?`,
    text: 'The link stops working immediately. You can invite the same address again.',
    facts: [
      ['Role', ROLE_NAMES[found.role]],
      ['Invited by', found.invitedBy],
    ],
    action: path(`invitations/${id}/remove`),
    button: 'Revoke the invitation',
    isDanger: true,
    back: back(screen),
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: 'DELETE',
        path: invitationPath(screen, id),
        isForPeople: true,
      }),
    ],
  })
}

export async function removeInvitation(screen: ProjectScreen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: invitationPath(screen, id),
  })
  if (!sent.ok) return showRemoveInvitation(screen, id, sent.problem.detail)
  return redirect(screen.path('members'))
}
