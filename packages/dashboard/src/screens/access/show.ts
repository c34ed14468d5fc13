/**
 * `/projects/:id/access`: how readers sign in to the site, and tokens for programs that read it.
 */
import {
  AccessReply,
  CreatedReaderToken,
  type PREVIEW_ACCESS,
  type PROTECTIONS,
  ReaderTokenList,
} from '@octavo/contract'
import { card, cardHead, emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { choiceField, postButton, postForm, selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { notice, problemNotice, savedNotice } from '../../parts/notice.ts'
import { table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import {
  errorOf,
  type FormProblem,
  generalError,
  NO_REPLY,
  readApi,
  sendApi,
} from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { ACCESS_FIELDS, methodFields, readAccessForm } from './form.ts'

type Mode = (typeof PROTECTIONS)[number]
type Previews = (typeof PREVIEW_ACCESS)[number]

const MODE_WORDS: Readonly<Record<Mode, string>> = {
  public: 'Everybody',
  password: 'Password',
  members: 'Members',
  oidc: 'OpenID provider',
  jwt: 'Your login (JWT)',
}
const PREVIEW_WORDS: Readonly<Record<Previews, string>> = {
  default: 'Members if the repository is private, otherwise as the site',
  site: 'Whoever reads the site',
  members: 'Members only',
}
const choicesOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value, label }))

const MINUTES = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '1440', label: '1 day' },
]

export async function showAccess(
  screen: ProjectScreen,
  more: { readonly attempt?: Attempt; readonly tokenAttempt?: Attempt; readonly token?: Html } = {},
): Promise<Response> {
  const { visit, project, options, url, path } = screen
  const { attempt, tokenAttempt, token } = more
  const access = await readApi(visit.api, AccessReply, apiPaths.project(project.id, '/access'))
  const tokens = await readApi(
    visit.api,
    ReaderTokenList,
    apiPaths.project(project.id, '/access/tokens'),
  )
  const same = curlCommand({
    url: options.url,
    method: 'PUT',
    path: apiPaths.project(project.id, '/access'),
    body: { mode: access.mode },
  })
  const saved = savedNotice(url, attempt, 'The settings of readers were saved.')
  const end = html`<a class="button" href="${path('access/end-sessions')}">${icon('ban')}Sign all readers out…</a>`
  const actions = access.mode === 'public' ? undefined : end
  const lead = 'Choose who reads the site. Nothing in docs.json changes it.'
  return projectPage(screen, {
    section: 'access',
    title: 'Readers',
    status: (attempt ?? tokenAttempt)?.problem.status ?? 200,
    body: html`
      ${pageHead({ title: 'Readers', lead, actions })}
      ${saved}
      ${token}
      ${accessForm(screen, access, attempt)}
      ${tokenList(screen, tokens)}
      ${tokenForm(screen, tokenAttempt)}
      ${equivalentCommands(same)}
    `,
  })
}

export async function saveAccess(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, AccessReply, {
    method: 'PUT',
    path: apiPaths.project(screen.project.id, '/access'),
    body: readAccessForm(form),
  })
  if (!sent.ok) return showAccess(screen, { attempt: { form, problem: sent.problem } })
  return redirect(screen.path('access?saved'))
}

function accessForm(
  { visit, path }: ProjectScreen,
  access: AccessReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  const valueFor = (name: string, stored: string) =>
    form === undefined ? stored : formValue(form, name)
  const mode = choiceField({
    name: 'mode',
    label: 'Who reads the site',
    value: valueFor('mode', access.mode),
    choices: choicesOf(MODE_WORDS),
    hint: html`
      Another choice, password, key or issuer signs all readers out. Pages with <code>public: true</code> stay
      open to everybody.
    `,
  })
  const previews = selectField({
    name: 'previews',
    label: 'Who reads previews',
    value: valueFor('previews', access.previews),
    choices: choicesOf(PREVIEW_WORDS),
  })
  const hours = textField({
    name: 'sessionHours',
    label: 'Hours until readers sign in again',
    type: 'number',
    min: 1,
    max: 720,
    value: valueFor('sessionHours', String(access.sessionHours)),
    error: errorOf(problem, 'sessionHours'),
  })
  const body = html`
    ${cardHead('Site')}
    <div class="card-body stack">
      ${problemNotice(generalError(problem, ACCESS_FIELDS))}
      ${mode}
      ${previews}
      ${hours}
      ${methodFields(access, attempt)}
    </div>
    <div class="card-foot">
      <button class="button primary end">Save</button>
    </div>
  `
  return postForm({ action: path('access'), token: visit.formToken, className: 'card', body })
}

function tokenList({ now, path, visit }: ProjectScreen, { tokens }: ReaderTokenList): Html {
  const list =
    tokens.length === 0
      ? emptyState(
          'No active tokens',
          'Create one to let an agent or a CI job read a private site.',
        )
      : table({
          caption: 'Active reader tokens',
          columns: [
            { label: 'Token' },
            { label: 'Groups' },
            { label: 'Expires' },
            { label: 'Actions', isHidden: true },
          ],
          rows: tokens.map(({ id, name, groups, createdAt, expiresAt }) => ({
            cells: [
              {
                isLead: true,
                content: html`
                  <span class="main">${name}</span>
                  <div class="sub">created ${timeTag(createdAt, now)}</div>
                `,
              },
              { content: groups.join(', ') || 'none', label: 'Groups' },
              { content: timeTag(expiresAt, now), label: 'Expires' },
              postButton({
                action: path(`access/tokens/${id}/delete`),
                token: visit.formToken,
                label: `Delete`,
                look: 'small',
              }),
            ],
          })),
        })
  return card({ title: 'Tokens for programs', isFlush: true, body: list })
}

function tokenForm({ visit, path }: ProjectScreen, attempt: Attempt | undefined): Html {
  const { form, problem } = attempt ?? {}
  const fields = html`
    ${textField({
      name: 'name',
      label: 'What it is for',
      value: formValue(form, 'name'),
      isRequired: true,
      maxLength: 100,
      placeholder: 'Link checker',
      error: errorOf(problem, 'name'),
    })}
    ${textField({
      name: 'groups',
      label: 'Groups',
      value: formValue(form, 'groups'),
      isOptional: true,
      placeholder: 'staff, partners',
      hint: 'Without any it reads what all readers read.',
      error: errorOf(problem, 'groups'),
    })}
    ${choiceField({
      name: 'minutes',
      label: 'Works for',
      value: formValue(form, 'minutes') || '60',
      choices: MINUTES,
    })}
  `
  return postForm({
    action: path('access/tokens'),
    token: visit.formToken,
    className: 'card',
    body: html`
      ${cardHead('Create a token')}
      <div class="card-body stack">${problemNotice(generalError(problem, ['name', 'groups']))}${fields}</div>
      <div class="card-foot">
        <button class="button end">Create token</button>
      </div>
    `,
  })
}

/** Shows the token, which is only in this response. */
export async function createReaderToken(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, CreatedReaderToken, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/access/tokens'),
    body: {
      name: formValue(form, 'name'),
      groups: formValue(form, 'groups')
        .split(/[\s,]+/)
        .filter((group) => group !== ''),
      minutes: Number(formValue(form, 'minutes')),
    },
  })
  if (!sent.ok) return showAccess(screen, { tokenAttempt: { form, problem: sent.problem } })
  const { name, token } = sent.data
  const field = html`
    <div class="field">
      <label for="new-token">Token</label>
      <div class="secret">
        <input id="new-token" value="${token}" readonly autocomplete="off" spellcheck="false">
        <button class="button primary" type="button" hidden data-copy="new-token">
          ${icon('copy')}
          <span>Copy token</span>
        </button>
      </div>
    </div>
  `
  const shown = card({
    title: name,
    body: html`
      <div class="stack">
        ${notice({
          tone: 'warning',
          sign: 'eye-off',
          title: 'Copy the token now. It is shown only this once.',
          text: 'Send it as Authorization: Bearer.',
        })}
        ${field}
      </div>
    `,
  })
  return showAccess(screen, { token: shown })
}

export async function deleteReaderToken(screen: ProjectScreen, id: string): Promise<Response> {
  const path = apiPaths.project(screen.project.id, `/access/tokens/${encodeURIComponent(id)}`)
  const sent = await sendApi(screen.visit.api, NO_REPLY, { method: 'DELETE', path })
  if (!sent.ok)
    return showAccess(screen, {
      tokenAttempt: { form: new URLSearchParams(), problem: sent.problem },
    })
  return redirect(screen.path('access'))
}

export function showEndSessions(screen: ProjectScreen, problem?: FormProblem): Response {
  const { path, project, options } = screen
  return confirmPage(screen, {
    section: 'access',
    title: 'Sign all readers out?',
    text: 'Everybody who reads the site has to sign in again, and all tokens for programs end. It takes a second.',
    action: path('access/end-sessions'),
    button: 'Sign all readers out',
    isDanger: true,
    back: { href: path('access'), label: 'Readers' },
    keep: 'Keep them signed in',
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

export async function endSessions(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/access/end-sessions'),
  })
  if (!sent.ok) return showEndSessions(screen, sent.problem)
  return redirect(screen.path('access'))
}
