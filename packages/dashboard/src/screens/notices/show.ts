/**
 * `/projects/:id/notices`: kinds of e-mail notifications, additional addresses, and what was sent.
 */
import { NOTICE_ADDRESSES_MAX, NOTICE_KINDS, type NoticeKind, NoticesReply } from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { checkbox, postForm, textArea } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { notice, problemNotice, savedNotice } from '../../parts/notice.ts'
import { countText } from '../../parts/number.ts'
import { type Row, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { errorOf, generalError, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'

const FIELDS = ['addresses']

const KIND_WORDS: Readonly<Record<NoticeKind, { readonly label: string; readonly hint: string }>> =
  {
    'build.failed': {
      label: 'A build failed',
      hint: 'Builds of the branch that is published. Readers still see what was published before.',
    },
    'assistant.budget': {
      label: 'A budget is nearly used up',
      hint: 'When the assistant has used 80 % of its tokens for the day or the month.',
    },
    'key.expiring': {
      label: 'An API key expires',
      hint: 'Sent 7 days before. Keys with a lifetime of 7 days or less are skipped.',
    },
    'domain.lost': {
      label: 'A domain is lost',
      hint: 'When its TXT record is gone for a day, after 7 days without it, or when another organization has proven it.',
    },
  }

export async function showNotices(screen: ProjectScreen, attempt?: Attempt): Promise<Response> {
  const { visit, project, options, url } = screen
  const path = apiPaths.project(project.id, '/notices')
  const notices = await readApi(visit.api, NoticesReply, path)
  const saved = savedNotice(url, attempt, 'The notices were saved.')
  const same = curlCommand({
    url: options.url,
    method: 'PUT',
    path,
    body: { email: notices.email },
  })
  return projectPage(screen, {
    section: 'notices',
    title: 'Notices',
    status: attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Notices',
        lead: 'Get notified once, by e-mail and webhook, when something needs you.',
      })}
      ${saved}
      ${noMail(notices)}
      ${noticesForm(screen, notices, attempt)}
      ${sentNotices(screen, notices)}
      ${equivalentCommands(same)}
    `,
  })
}

export async function saveNotices(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NoticesReply, {
    method: 'PUT',
    path: apiPaths.project(screen.project.id, '/notices'),
    body: {
      email: form.getAll('email'),
      addresses: readAddresses(form),
    },
  })
  if (!sent.ok) return showNotices(screen, { form, problem: sent.problem })
  return redirect(screen.path('notices?saved'))
}

function readAddresses(form: Form): readonly string[] {
  return formValue(form, 'addresses')
    .split(/[\s,;]+/)
    .filter((address) => address !== '')
}

function noMail({ canEmail, hasWebhook }: NoticesReply): HtmlPart {
  if (canEmail) return undefined
  const rest = hasWebhook ? 'Notices go to the webhook only.' : 'There is no webhook either.'
  return notice({
    tone: 'warning',
    title: 'This service cannot send e-mail.',
    text: html`Its operator has to set <code>OCTAVO_SMTP_URL</code>. ${rest}`,
  })
}

function noticesForm(
  { visit, path }: ProjectScreen,
  notices: NoticesReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  const wanted = form === undefined ? notices.email : form.getAll('email')
  const kinds = NOTICE_KINDS.map((kind) =>
    checkbox({
      name: 'email',
      value: kind,
      ...KIND_WORDS[kind],
      isChecked: wanted.some((one) => one === kind),
    }),
  )
  const addresses = textArea({
    name: 'addresses',
    label: 'Further addresses',
    rows: 4,
    isOptional: true,
    value: form === undefined ? notices.addresses.join('\n') : formValue(form, 'addresses'),
    error: addressError(attempt),
    hint: `One on each line, at most ${NOTICE_ADDRESSES_MAX}. Owners and admins of the project get these mails without being listed.`,
  })
  const webhook = notices.hasWebhook
    ? 'Your webhook gets all of them, whatever you choose here.'
    : 'This project has no webhook.'
  const body = html`
    <div class="card-head">
      <h2>E-mail</h2>
      <div class="aside">${webhook}</div>
    </div>
    <div class="card-body stack">
      ${problemNotice(generalError(problem, FIELDS))}
      <fieldset class="field">
        <legend>Send a mail when</legend>
        <div class="checks">${kinds}</div>
      </fieldset>
      ${addresses}
    </div>
    <div class="card-foot">
      <button class="button primary end">Save</button>
    </div>
  `
  return postForm({ action: path('notices'), token: visit.formToken, className: 'card', body })
}

/** Prefixes the error with the address, which the API identifies by its index. */
function addressError(attempt: Attempt | undefined): string | undefined {
  const error = errorOf(attempt?.problem, 'addresses')
  if (attempt === undefined || error === undefined) return undefined
  const place = /^addresses\.(\d+)$/.exec(attempt.problem.param ?? '')?.[1]
  const address = place === undefined ? undefined : readAddresses(attempt.form)[Number(place)]
  return address === undefined ? error : `${address}: ${error}`
}

function sentNotices({ now }: ProjectScreen, { sent }: NoticesReply): Html {
  const list =
    sent.length === 0
      ? emptyState('No notifications yet', 'Sent notifications appear here for 90 days.')
      : table({
          caption: 'Notices that were sent, the newest first',
          columns: [{ label: 'What' }, { label: 'Sent to' }, { label: 'When', isEnd: true }],
          rows: sent.map((one) => sentRow(one, now)),
        })
  return card({ title: 'Sent', isFlush: true, body: list })
}

function sentRow(
  { kind, text, at, emails, webhook }: NoticesReply['sent'][number],
  now: number,
): Row {
  const people = emails === 1 ? '1 person' : `${countText(emails)} people`
  const to = [emails > 0 && people, webhook && 'webhook'].filter((one) => one !== false)
  return {
    cells: [
      {
        isLead: true,
        content: html`<span class="main">${text}</span><div class="sub">${KIND_WORDS[kind].label}</div>`,
      },
      { content: to.join(', '), label: 'Sent to' },
      { content: timeTag(at, now), className: 'muted', isEnd: true },
    ],
  }
}
