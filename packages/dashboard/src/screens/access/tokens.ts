/** Reader tokens: the list, a form for a new one, and a page that revokes one. */
import { CreatedReaderToken, type ReaderToken, ReaderTokenList } from '@octavo/contract'
import { card, cardHead, emptyState } from '../../parts/card.ts'
import { curlCommand } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { choiceField, postForm, textField } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { notice, problemNotice } from '../../parts/notice.ts'
import { secretField } from '../../parts/secret-field.ts'
import { OFF, stateTag, WARNING } from '../../parts/state.ts'
import { type Row, rowMenu, table } from '../../parts/table.ts'
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

const DAY_MINUTES = 24 * 60
const SOON_MS = 7 * DAY_MINUTES * 60_000
const VALIDITY = [
  { value: String(DAY_MINUTES), label: '1 day' },
  { value: String(30 * DAY_MINUTES), label: '30 days' },
  { value: String(90 * DAY_MINUTES), label: '90 days' },
  { value: String(365 * DAY_MINUTES), label: '1 year' },
]
const VALIDITY_DEFAULT = String(90 * DAY_MINUTES)

type Tokens = {
  readonly tokens: readonly ReaderToken[]
  readonly isPublic: boolean
  readonly attempt: Attempt | undefined
}

const tokensPath = ({ project }: ProjectScreen, id?: string) =>
  apiPaths.project(
    project.id,
    `/access/tokens${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
  )

export function tokensCard(screen: ProjectScreen, { tokens, isPublic, attempt }: Tokens): Html {
  const list =
    tokens.length === 0
      ? emptyState('No tokens yet', 'Create a token for an agent or a CI job.')
      : table({
          caption: 'Reader tokens',
          columns: [
            ...['Name', 'Created by', 'Last used', 'Expires'].map((label) => ({ label })),
            { label: 'Actions', isHidden: true },
          ],
          rows: tokens.map((token) => tokenRow(screen, token)),
        })
  const aside = isPublic
    ? 'Not needed while the site is public'
    : 'For agents, CI jobs and link checkers, which cannot sign in'
  return html`
    <section class="card" id="tokens">
      ${cardHead('Reader tokens', aside)}
      ${list}
      ${tokenForm(screen, attempt)}
    </section>
  `
}

function tokenRow({ now, path }: ProjectScreen, token: ReaderToken): Row {
  const { id, name, groups, createdBy, lastUsedAt } = token
  const isOver = Date.parse(token.expiresAt) <= now
  const words = groups.length === 1 ? 'Group' : 'Groups'
  return {
    className: isOver ? 'is-over' : '',
    cells: [
      {
        isLead: true,
        content: html`
          <span class="main">${name}</span>
          <div class="sub">${groups.length === 0 ? 'All readers' : `${words}: ${groups.join(', ')}`}</div>
        `,
      },
      { content: createdBy ?? '–', label: 'By' },
      { content: lastUsedAt === null ? 'Never' : timeTag(lastUsedAt, now), label: 'Last used' },
      isSoon(token, now)
        ? { content: expiry(token, now) }
        : { content: expiry(token, now), label: 'Expires' },
      rowMenu(name, [
        {
          label: isOver ? 'Delete…' : 'Revoke…',
          href: path(`access/tokens/${encodeURIComponent(id)}/revoke`),
          isDanger: true,
        },
      ]),
    ],
  }
}

const isSoon = ({ expiresAt }: Pick<ReaderToken, 'expiresAt'>, now: number) =>
  Date.parse(expiresAt) - now < SOON_MS

function expiry({ expiresAt }: ReaderToken, now: number): Html {
  const time = timeTag(expiresAt, now)
  if (Date.parse(expiresAt) <= now)
    return html`${stateTag(OFF('Expired'))} <span class="muted">${time}</span>`
  if (isSoon({ expiresAt }, now)) return html`${stateTag(WARNING('Expires soon'))} ${time}`
  return time
}

function tokenForm({ visit, path }: ProjectScreen, attempt: Attempt | undefined): Html {
  const { form, problem } = attempt ?? {}
  const name = textField({
    name: 'name',
    label: 'Name',
    value: formValue(form, 'name'),
    isRequired: true,
    maxLength: 100,
    placeholder: 'Link checker',
    hint: 'Helps you recognize the token in this list.',
    error: errorOf(problem, 'name'),
  })
  const validity = choiceField({
    name: 'minutes',
    label: 'Expires after',
    value: formValue(form, 'minutes') || VALIDITY_DEFAULT,
    choices: VALIDITY,
    error: errorOf(problem, 'minutes'),
  })
  const groups = textField({
    name: 'groups',
    label: 'Groups',
    value: formValue(form, 'groups'),
    isOptional: true,
    placeholder: 'staff, partners',
    hint: 'Without groups, the token can read what every signed-in reader can.',
    error: errorOf(problem, 'groups'),
  })
  return postForm({
    action: `${path('access/tokens')}#tokens`,
    token: visit.formToken,
    className: 'new-token',
    body: html`
      <div class="card-body stack">
        <h3>New token</h3>
        ${problemNotice(generalError(problem, ['name', 'groups', 'minutes']))}
        <div class="form-grid">${name}${validity}${groups}</div>
      </div>
      <div class="card-foot">
        <span>The token is shown once, on the next page.</span>
        <button class="button end">Create token</button>
      </div>
    `,
  })
}

/**
 * Creates a reader token. Returns a card with the token, which no later response contains, or the
 * rejected form.
 */
export async function createReaderToken(
  screen: ProjectScreen,
  form: Form,
): Promise<{ readonly token: Html } | { readonly tokenAttempt: Attempt }> {
  const sent = await sendApi(screen.visit.api, CreatedReaderToken, {
    method: 'POST',
    path: tokensPath(screen),
    body: {
      name: formValue(form, 'name'),
      groups: formValue(form, 'groups')
        .split(/[\s,]+/)
        .filter((group) => group !== ''),
      minutes: Number(formValue(form, 'minutes')),
    },
  })
  if (!sent.ok) return { tokenAttempt: { form, problem: sent.problem } }
  const { name, token } = sent.data
  return {
    token: card({
      title: name,
      body: html`
        <div class="stack">
          ${notice({
            tone: 'warning',
            sign: 'eye-off',
            title: 'Copy the token now. It is shown only once.',
            text: 'Send the token with each request in the header Authorization: Bearer <token>.',
          })}
          ${secretField({ id: 'new-token', label: 'Token', value: token, copy: 'Copy token' })}
        </div>
      `,
    }),
  }
}

export async function showRevokeToken(
  screen: ProjectScreen,
  id: string,
  problem?: FormProblem,
): Promise<Response> {
  const { visit, now, path, options } = screen
  const { tokens } = await readApi(visit.api, ReaderTokenList, tokensPath(screen))
  const token = tokens.find((one) => one.id === id)
  // The token was already revoked, for example in another tab.
  if (token === undefined && problem === undefined) return redirect(path('access'))
  const { name = 'this token', lastUsedAt } = token ?? {}
  return confirmPage(screen, {
    section: 'access',
    title: `Revoke ${name}?`,
    text: 'Programs that use this token lose access within a second. This cannot be undone.',
    facts: [['Last used', lastUsedAt ? timeTag(lastUsedAt, now) : 'Never']],
    action: path(`access/tokens/${encodeURIComponent(id)}/revoke`),
    button: 'Revoke token',
    isDanger: true,
    back: { href: path('access'), label: 'Site access' },
    problem: problem?.detail,
    status: problem?.status,
    same: [curlCommand({ url: options.url, method: 'DELETE', path: tokensPath(screen, id) })],
  })
}

export async function revokeToken(screen: ProjectScreen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: tokensPath(screen, id),
  })
  if (!sent.ok) return showRevokeToken(screen, id, sent.problem)
  return redirect(screen.path('access'))
}
