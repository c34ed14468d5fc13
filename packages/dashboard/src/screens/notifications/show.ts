/**
 * `/projects/:id/notifications`: which kinds are sent by e-mail, additional recipients, and the
 * last sent notifications.
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
import { settingRow } from '../../parts/settings-row.ts'
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
      hint: 'A build of the published branch failed. Readers still see the previous version.',
    },
    'assistant.budget': {
      label: 'A token budget is nearly used up',
      hint: 'The assistant has used 80% of its tokens for the day or the month.',
    },
    'key.expiring': {
      label: 'An API key is about to expire',
      hint: 'Sent 7 days before the key expires. Not sent for keys that are valid for 7 days or less.',
    },
    'domain.lost': {
      label: 'A domain is lost or about to be lost',
      hint: 'The TXT record has been missing for a day or for 7 days, or another organization has proven that it owns the domain.',
    },
  }

export async function showNotifications(
  screen: ProjectScreen,
  attempt?: Attempt,
): Promise<Response> {
  const { visit, project, options, url } = screen
  const path = apiPaths.project(project.id, '/notifications')
  const notices = await readApi(visit.api, NoticesReply, path)
  const saved = savedNotice(url, attempt, 'The notifications were saved.')
  const same = curlCommand({
    url: options.url,
    method: 'PUT',
    path,
    body: { email: notices.email },
  })
  return projectPage(screen, {
    section: 'notifications',
    title: 'Notifications',
    status: attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Notifications',
        lead: 'When something needs your attention, you are notified once, by e-mail and webhook.',
      })}
      ${saved}
      ${noMail(notices)}
      ${notificationsForm(screen, notices, attempt)}
      ${sentCard(screen, notices)}
      ${equivalentCommands(same)}
    `,
  })
}

export async function saveNotifications(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NoticesReply, {
    method: 'PUT',
    path: apiPaths.project(screen.project.id, '/notifications'),
    body: {
      email: form.getAll('email'),
      addresses: readAddresses(form),
    },
  })
  if (!sent.ok) return showNotifications(screen, { form, problem: sent.problem })
  return redirect(screen.path('notifications?saved'))
}

const readAddresses = (form: Form) => readRecipients(form).map(({ address }) => address)

type Recipient = { readonly line: number; readonly address: string }

/**
 * Reads the addresses, one per line or separated by commas or semicolons, as in an e-mail program.
 */
function readRecipients(form: Form): readonly Recipient[] {
  return formValue(form, 'addresses')
    .split(/\r?\n/)
    .flatMap((text, index) =>
      text
        .split(/[,;]/)
        .map((address) => ({ line: index + 1, address: address.trim() }))
        .filter(({ address }) => address !== ''),
    )
}

function noMail({ canEmail, hasWebhook }: NoticesReply): HtmlPart {
  if (canEmail) return undefined
  const rest = hasWebhook
    ? 'Notifications go to the webhook only.'
    : 'The project has no webhook either, so no notifications are sent.'
  return notice({
    tone: 'warning',
    title: 'This service cannot send e-mail.',
    text: html`The operator has to set <code>OCTAVO_SMTP_URL</code>. ${rest}`,
  })
}

function notificationsForm(
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
    label: 'Additional recipients',
    rows: 4,
    className: 'set',
    isOptional: true,
    value: form === undefined ? notices.addresses.join('\n') : formValue(form, 'addresses'),
    error: addressError(attempt),
    hint: `One e-mail address per line, up to ${NOTICE_ADDRESSES_MAX}. Owners and admins of the project always get these e-mails.`,
  })
  const webhook = notices.hasWebhook
    ? html`The <a class="link" href="${path('settings#webhook')}">webhook</a> receives all notifications`
    : html`<a class="link" href="${path('settings#webhook')}">Add a webhook</a>`
  const general = generalError(problem, FIELDS)
  const body = html`
    <div class="card-head">
      <h2>E-mail</h2>
      <div class="aside">${webhook}</div>
    </div>
    ${general !== undefined && html`<div class="card-body">${problemNotice(general)}</div>`}
    ${settingRow({ title: 'Send an e-mail when', controls: html`<div class="checks">${kinds}</div>` })}
    ${addresses}
    <div class="card-foot">
      <button class="button primary end">Save</button>
    </div>
  `
  return postForm({
    action: path('notifications'),
    token: visit.formToken,
    className: 'card',
    body,
  })
}

/** Returns the error with the line of the address, which the API identifies by its index. */
function addressError(attempt: Attempt | undefined): string | undefined {
  const error = errorOf(attempt?.problem, 'addresses')
  if (attempt === undefined || error === undefined) return undefined
  const index = /^addresses\.(\d+)$/.exec(attempt.problem.param ?? '')?.[1]
  const refused = index === undefined ? undefined : readRecipients(attempt.form)[Number(index)]
  if (refused === undefined) return error
  return `Line ${refused.line}: “${refused.address}” is not an e-mail address.`
}

function sentCard({ now }: ProjectScreen, { sent }: NoticesReply): Html {
  const list =
    sent.length === 0
      ? emptyState('No notifications yet', 'Sent notifications appear here for 90 days.')
      : table({
          caption: 'Notifications that were sent, newest first',
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
