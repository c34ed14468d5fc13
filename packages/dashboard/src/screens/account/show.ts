/** `/account`: the person's profile, sign-in methods and sessions. */
import { PasskeyList, SessionList } from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { hiddenFields, postButton, textField } from '../../parts/form.ts'
import { accountPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { keepAccessNotice, problemNotice } from '../../parts/notice.ts'
import { countOf } from '../../parts/number.ts'
import { valueRows } from '../../parts/settings-row.ts'
import { type Row, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import type { Screen } from '../../visit/screen.ts'

type Session = SessionList['sessions'][number]

export async function showAccount(screen: Screen, problem?: string): Promise<Response> {
  const { visit, options } = screen
  const [{ sessions }, passkeys] = await Promise.all([
    readApi(visit.api, SessionList, apiPaths.sessions()),
    readApi(visit.api, PasskeyList, apiPaths.passkeys()),
  ])
  const list = table({
    caption: 'Sessions',
    columns: [
      { label: 'Device' },
      { label: 'Network' },
      { label: 'Signed in', isEnd: true },
      { label: 'Last seen', isEnd: true },
      { label: 'Expires', isEnd: true },
      { label: 'Actions', isHidden: true },
    ],
    rows: sessions.map((session) => sessionRow(screen, session)),
  })
  return accountPage(screen, {
    title: 'Your account',
    status: problem === undefined ? 200 : 409,
    body: html`
      ${pageHead({ title: 'Your account', back: { href: '/', label: 'Projects' } })}
      ${keepAccessNotice(screen)}
      ${problemNotice(problem)}
      ${card({
        title: 'Profile',
        isFlush: true,
        body: valueRows([
          { name: 'Name', value: visit.person.name },
          { name: 'E-mail address', value: visit.person.email },
          { name: 'User ID', value: html`<code>${visit.person.id}</code>` },
        ]),
      })}
      ${passkeyCard(screen, passkeys)}
      ${card({ title: 'Sessions', aside: 'End sessions that you do not recognize.', isFlush: true, body: list })}
      ${equivalentCommands(curlCommand({ url: options.url, path: apiPaths.sessions(), isForPeople: true }))}
    `,
  })
}

export const revokeSession = (screen: Screen, id: string) =>
  deleteAndReload(screen, apiPaths.session(id))
export const deletePasskey = (screen: Screen, id: string) =>
  deleteAndReload(screen, apiPaths.passkey(id))

async function deleteAndReload(screen: Screen, path: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, { method: 'DELETE', path })
  if (!sent.ok) return showAccount(screen, sent.problem.detail)
  return redirect('/account')
}

function passkeyCard(screen: Screen, { passkeys, recoveryCodesLeft }: PasskeyList): Html {
  const list =
    passkeys.length === 0
      ? emptyState(
          'No passkeys yet',
          'A passkey lets you sign in with your fingerprint, face or security key, without an e-mail. Passkeys cannot be phished.',
        )
      : table({
          caption: 'Passkeys',
          columns: [
            { label: 'Passkey' },
            { label: 'Added', isEnd: true },
            { label: 'Last used', isEnd: true },
            { label: 'Actions', isHidden: true },
          ],
          rows: passkeys.map((passkey) => passkeyRow(screen, passkey)),
        })
  const codes = postButton({
    action: '/account/recovery-codes',
    token: screen.visit.formToken,
    look: 'small',
    label: recoveryCodesLeft === 0 ? 'Create recovery codes' : 'Replace the codes',
  })
  return card({
    title: 'Passkeys',
    aside: 'To add a passkey, you must have signed in within the last 15 minutes.',
    isFlush: true,
    body: html`${list}<div class="card-body">${addPasskey(screen)}</div>`,
    foot: html`
      <span>
        ${
          recoveryCodesLeft === 0
            ? 'No recovery codes yet. They let you sign in on a device without your passkey.'
            : `${countOf(recoveryCodesLeft, 'recovery code')} left.`
        }
      </span>
      <div class="end">${codes}</div>
    `,
  })
}

function passkeyRow({ visit, now }: Screen, passkey: PasskeyList['passkeys'][number]): Row {
  const { id, name, synced, createdAt, lastUsedAt } = passkey
  const end = postButton({
    action: `/account/passkeys/${encodeURIComponent(id)}/delete`,
    token: visit.formToken,
    look: 'small danger',
    label: html`Delete<span class="sr-only"> the passkey ${name}</span>`,
  })
  const content = html`
    <span class="main with-sign">${icon('fingerprint')}${name}</span>
    <div class="sub">${synced ? 'Synced by a password manager' : 'On one device'}</div>
  `
  const used = lastUsedAt === null ? 'Never' : timeTag(lastUsedAt, now)
  return {
    cells: [
      { content, isLead: true },
      { content: timeTag(createdAt, now), isEnd: true, label: 'Added' },
      { content: used, isEnd: true, label: 'Used' },
      { content: end, isEnd: true },
    ],
  }
}

/** Renders a hidden form, which the script shows, since passkeys need JavaScript. */
function addPasskey({ visit, options }: Screen): Html {
  if (options.passkeyProblem) return html`<p class="hint">${options.passkeyProblem}</p>`
  return html`
    <form method="post" action="/account/passkeys" class="filters flat" data-passkey-register hidden>
      ${hiddenFields({ token: visit.formToken })}
      ${textField({
        name: 'name',
        label: 'Name',
        placeholder: 'Laptop',
        isRequired: true,
        maxLength: 100,
        className: 'grow',
      })}
      <button class="button primary">${icon('plus')}Add a passkey</button>
    </form>
  `
}

function sessionRow({ now, visit }: Screen, session: Session): Row {
  const { id, kind, current, device, network, createdAt, lastSeenAt, expiresAt } = session
  const end = current
    ? html`<span class="muted">This session</span>`
    : postButton({
        action: `/account/sessions/${encodeURIComponent(id)}/revoke`,
        token: visit.formToken,
        look: 'small danger',
        label: html`End<span class="sr-only"> the session on ${device}</span>`,
      })
  return {
    cells: [
      {
        isLead: true,
        content: html`
          <span class="main with-sign">${icon(kind === 'browser' ? 'monitor' : 'terminal')}${device}</span>
          <div class="sub">${kind === 'browser' ? 'Browser' : 'Command line'}</div>
        `,
      },
      { content: network ? html`<span class="mono">${network}</span>` : '–', label: 'Network' },
      { content: timeTag(createdAt, now), isEnd: true, label: 'Signed in' },
      { content: timeTag(lastSeenAt, now), isEnd: true, label: 'Seen' },
      { content: timeTag(expiresAt, now), isEnd: true, label: 'Expires' },
      { content: end, isEnd: true },
    ],
  }
}
