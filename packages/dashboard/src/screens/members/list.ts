/** `/projects/:id/members`: members with their roles, and invitations. */
import {
  CreatedInvitation,
  InvitationList,
  type Member,
  MemberList,
  type Role,
} from '@octavo/contract'
import { avatar, card, cardHead, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { postForm, selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { notice, problemNotice } from '../../parts/notice.ts'
import { countOf } from '../../parts/number.ts'
import { secretField } from '../../parts/secret-field.ts'
import { GOOD, stateTag } from '../../parts/state.ts'
import { type MenuItem, pager, type Row, rowMenu, table } from '../../parts/table.ts'
import { dayText } from '../../parts/time.ts'
import { apiPaths, withQuery } from '../../visit/api-paths.ts'
import { errorOf, generalError, readApi, sendApi } from '../../visit/call-api.ts'
import {
  type Attempt,
  type Form,
  formValue,
  grantableRoles,
  type ProjectScreen,
} from '../../visit/screen.ts'
import { roleTable } from './role-table.ts'
import { ROLE_NAMES } from './role-words.ts'

type Shown = { readonly attempt?: Attempt; readonly created?: CreatedInvitation }

export async function showMembers(
  screen: ProjectScreen,
  { attempt, created }: Shown = {},
): Promise<Response> {
  const { visit, project, url, options } = screen
  const membersPath = apiPaths.project(project.id, '/members')
  const cursor = url.searchParams.get('cursor') ?? undefined
  const [{ members, nextCursor }, { invitations }] = await Promise.all([
    readApi(visit.api, MemberList, withQuery(membersPath, { cursor })),
    readApi(visit.api, InvitationList, apiPaths.project(project.id, '/invitations')),
  ])
  const rows = [
    ...members.map((member) => memberRow(screen, member)),
    ...invitations.map((invitation) => invitationRow(screen, invitation)),
  ]
  const waiting = invitations.length
  const list = table({
    caption: 'Members',
    columns: [
      { label: 'Member' },
      ...(seesAll(screen) ? [{ label: 'In the organization' }] : []),
      { label: 'In this project' },
      { label: 'Actions', isHidden: true },
    ],
    rows,
  })
  const body = html`
    ${pageHead({
      title: 'Members',
      lead: seesAll(screen)
        ? 'A role in the organization applies to all its projects. A role in a project can only add permissions.'
        : `Only people with a role in this project are listed, not those with a role in all of ${screen.organization.name}.`,
      actions: html`<a class="button primary" href="#invite">${icon('plus')}Invite</a>`,
    })}
    ${created && createdCard(screen, created)}
    ${card({
      title: countOf(members.length, 'member'),
      aside: waiting > 0 && `and ${countOf(waiting, 'invitation')} waiting`,
      isFlush: true,
      body: html`${list}${pager(url, { nextCursor, note: 'Sorted by address' })}`,
    })}
    ${inviteForm(screen, attempt)}
    ${roleTable()}
    ${equivalentCommands(curlCommand({ url: options.url, path: membersPath, isForPeople: true }))}
  `
  return projectPage(screen, {
    section: 'members',
    title: 'Members',
    body,
    status: attempt?.problem.status ?? 200,
  })
}

export async function invite(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, CreatedInvitation, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/invitations'),
    body: {
      email: formValue(form, 'email'),
      role: formValue(form, 'role'),
      ...(formValue(form, 'for') === 'organization' ? {} : { project: screen.project.id }),
    },
    idempotencyKey: formValue(form, 'idempotency') || undefined,
  })
  if (!sent.ok) return showMembers(screen, { attempt: { form, problem: sent.problem } })
  return showMembers(screen, { created: sent.data })
}

function memberRow(screen: ProjectScreen, member: Member): Row {
  const { path, visit, project } = screen
  const inProject = member.projects.find(({ id }) => id === project.id)?.role
  const isMe = member.id === visit.person.id
  const items: readonly MenuItem[] = [
    { label: 'Change role…', href: path(`members/${member.id}/role`) },
    {
      label: isMe ? 'Leave…' : 'Remove…',
      href: path(`members/${member.id}/remove`),
      isDanger: true,
    },
  ]
  return {
    cells: [
      {
        isLead: true,
        content: html`
          <div class="member">
            ${avatar(member.name)}
            <div>
              <span class="main">${member.name}</span>
              ${isMe && html` <span class="tag">you</span>`}
              <div class="sub">${member.email}</div>
            </div>
          </div>
        `,
      },
      ...organizationCell(screen, member.role),
      { content: inProject === undefined ? '–' : ROLE_NAMES[inProject], label: 'Project' },
      rowMenu(member.name, items),
    ],
  }
}

/**
 * Checks whether the person sees the organization's members. With only a project role, they do not.
 */
const seesAll = ({ organization }: ProjectScreen) => organization.role !== null

const organizationCell = (screen: ProjectScreen, role: Role | null) =>
  seesAll(screen)
    ? [{ content: role === null ? '–' : ROLE_NAMES[role], label: 'Organization' }]
    : []

function invitationRow(
  screen: ProjectScreen,
  invitation: InvitationList['invitations'][number],
): Row {
  const { path, project } = screen
  const { id, email, role, invitedBy, expiresAt } = invitation
  const isHere = invitation.project === project.id
  const inProject = isHere ? ROLE_NAMES[role] : '–'
  return {
    cells: [
      {
        isLead: true,
        content: html`
          <span class="main">${email}</span>
          <div class="sub">Invited by ${invitedBy}, the link is valid until ${dayText(expiresAt)}</div>
        `,
      },
      ...organizationCell(screen, invitation.project === undefined ? role : null),
      { content: inProject, label: 'Project' },
      rowMenu(email, [
        { label: 'Revoke…', href: path(`invitations/${id}/remove`), isDanger: true },
      ]),
    ],
  }
}

function inviteForm(screen: ProjectScreen, attempt: Attempt | undefined): Html {
  const { visit, path, project, organization } = screen
  const { form, problem } = attempt ?? {}
  const fields: HtmlPart = [
    textField({
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      value: formValue(form, 'email'),
      placeholder: 'name@example.org',
      isRequired: true,
      className: 'grow',
      error: errorOf(problem, 'email'),
    }),
    selectField({
      name: 'for',
      label: 'For',
      value: formValue(form, 'for'),
      error: errorOf(problem, 'project'),
      choices: [
        { value: 'project', label: project.name },
        ...(seesAll(screen)
          ? [{ value: 'organization', label: `All of ${organization.name}` }]
          : []),
      ],
    }),
    selectField({
      name: 'role',
      label: 'Role',
      value: formValue(form, 'role') || 'editor',
      error: errorOf(problem, 'role'),
      choices: grantableRoles(screen).map((role) => ({ value: role, label: ROLE_NAMES[role] })),
    }),
  ]
  return postForm({
    action: path('members'),
    token: visit.formToken,
    fields: { idempotency: crypto.randomUUID() },
    className: 'card',
    body: html`
      <div class="card-head">
        <h2 id="invite">Invite someone</h2>
        <div class="aside">The invitation works once, only for this address, and expires after 7 days.</div>
      </div>
      <div class="card-body">
        ${problemNotice(generalError(problem, ['email', 'role', 'project']))}
        <div class="filters flat">
          ${fields}
          <button class="button primary">Create invitation</button>
        </div>
      </div>
    `,
  })
}

/**
 * Renders the created invitation. The link is only shown if the service cannot send it by e-mail.
 */
function createdCard({ path }: ProjectScreen, { email, role, url, expiresAt }: CreatedInvitation) {
  const head = cardHead(
    html`${stateTag(GOOD('Invited'), true)} ${email}`,
    `${ROLE_NAMES[role]} · until ${dayText(expiresAt)}`,
  )
  if (url === undefined)
    return html`
      <section class="card">
        ${head}
        <div class="card-body">
          ${notice({
            tone: 'good',
            title: `We sent the invitation to ${email}.`,
            text: 'If the e-mail does not arrive, invite the address again: the new link replaces the old one.',
          })}
        </div>
      </section>
    `
  const field = secretField({ id: 'invitation', label: 'Link', value: url, copy: 'Copy link' })
  return html`
    <section class="card">
      ${head}
      <div class="card-body stack">
        ${notice({
          tone: 'warning',
          sign: 'eye-off',
          title: 'Send this link now. It is shown only once.',
          text: 'The link works once. Send it only to the owner of this address.',
        })}
        ${field}
      </div>
      <div class="card-foot">
        <a class="button end" href="${path('members')}">I sent the link</a>
      </div>
    </section>
  `
}
