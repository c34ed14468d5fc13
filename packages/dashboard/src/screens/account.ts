/** `/account`: who I am here, and where I am signed in. */
import { SessionList } from '@octavo/service/contract'
import { html } from '@octavo/theme'
import { apiPaths } from '../api-paths.ts'
import { ANY_REPLY, readApi, sendApi } from '../call-api.ts'
import { card, factList, pageHead } from '../parts/card.ts'
import { curlCommand, sameWithoutThisPage } from '../parts/code-sample.ts'
import { redirect } from '../parts/document.ts'
import { postButton } from '../parts/form.ts'
import { accountPage } from '../parts/frame.ts'
import { icon } from '../parts/icon.ts'
import { problemNotice } from '../parts/notice.ts'
import { type Row, table } from '../parts/table.ts'
import { timeTag } from '../parts/time.ts'
import type { Screen } from '../screen.ts'

type Session = SessionList['sessions'][number]

export async function showAccount(screen: Screen, problem?: string): Promise<Response> {
  const { visit, options } = screen
  const { sessions } = await readApi(visit.api, SessionList, apiPaths.sessions())
  const list = table({
    caption: 'Sessions',
    columns: [
      { label: 'Where' },
      { label: 'Network' },
      { label: 'Signed in', isEnd: true },
      { label: 'Last seen', isEnd: true },
      { label: 'Ends', isEnd: true },
      { label: 'Actions', isHidden: true },
    ],
    rows: sessions.map((session) => sessionRow(screen, session)),
  })
  return accountPage(screen, {
    title: 'Your account',
    status: problem === undefined ? 200 : 409,
    body: html`${pageHead({ title: 'Your account', back: { href: '/', label: 'Projects' } })}${problemNotice(problem)}${card(
      {
        title: 'You',
        body: factList([
          ['Name', visit.person.name],
          ['E-mail address', visit.person.email],
          ['Id', html`<code>${visit.person.id}</code>`],
        ]),
      },
    )}${card({ title: 'Sessions', aside: 'End those that you do not know.', isFlush: true, body: list })}${sameWithoutThisPage(curlCommand({ url: options.url, path: apiPaths.sessions(), isForPeople: true }))}`,
  })
}

export async function revokeSession(screen: Screen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, ANY_REPLY, {
    method: 'DELETE',
    path: apiPaths.session(id),
  })
  if (!sent.ok) return showAccount(screen, sent.problem.detail)
  return redirect('/account')
}

function sessionRow({ now, visit }: Screen, session: Session): Row {
  const { id, kind, current, device, network, createdAt, lastSeenAt, expiresAt } = session
  const end = current
    ? html`<span class="muted">This one</span>`
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
        content: html`<span class="main with-sign">${icon(kind === 'browser' ? 'monitor' : 'terminal')}${device}</span><div class="sub">${kind === 'browser' ? 'Browser' : 'Command line'}</div>`,
      },
      { content: network ? html`<span class="mono">${network}</span>` : '–', label: 'Network' },
      { content: timeTag(createdAt, now), isEnd: true, label: 'Signed in' },
      { content: timeTag(lastSeenAt, now), isEnd: true, label: 'Seen' },
      { content: timeTag(expiresAt, now), isEnd: true, label: 'Ends' },
      { content: end, isEnd: true },
    ],
  }
}
