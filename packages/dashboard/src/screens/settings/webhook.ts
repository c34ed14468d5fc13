/**
 * The card of a project's webhook, with forms to set, test and remove it and to create a new
 * secret.
 */
import type { ProjectSettingsReply, WebhookAttempt } from '@octavo/contract'
import { cardHead } from '../../parts/card.ts'
import { postButton, postForm, radioList, textField } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { notice } from '../../parts/notice.ts'
import { secretField } from '../../parts/secret-field.ts'
import { actionRow, settingRow, valueRows } from '../../parts/settings-row.ts'
import { BAD, GOOD, stateTag } from '../../parts/state.ts'
import { timeTag } from '../../parts/time.ts'
import { errorOf } from '../../visit/call-api.ts'
import { type Attempt, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { cardProblem } from './card-problem.ts'

const FIELDS = ['url', 'format']

export function webhookCard(
  { visit, path, now }: ProjectScreen,
  { webhook, webhookFormat = 'standard', webhookAttempt }: ProjectSettingsReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  const isSet = webhook !== undefined
  const token = visit.formToken
  const body = html`
    ${cardProblem(attempt, FIELDS)}
    ${textField({
      name: 'url',
      label: 'URL',
      className: 'set',
      type: 'url',
      value: form === undefined ? (webhook ?? '') : formValue(form, 'url'),
      placeholder: 'https://example.com/hooks/octavo',
      isRequired: true,
      maxLength: 2_000,
      error: errorOf(problem, 'url'),
      hint: isSet
        ? 'If you change the URL, a new secret is created.'
        : 'Receives a request when a deployment goes live, when a build fails, and for each notification.',
    })}
    ${settingRow({
      title: 'Format',
      controls: radioList({
        name: 'format',
        value: form === undefined ? webhookFormat : formValue(form, 'format'),
        choices: [
          {
            value: 'standard',
            label: 'Signed JSON',
            hint: 'For your server, in the Standard Webhooks format.',
          },
          { value: 'slack', label: 'Chat message', hint: 'For Slack, Mattermost or Discord.' },
        ],
      }),
    })}
    <div class="card-foot">
      <button class="button primary end">${isSet ? 'Save' : 'Add the webhook'}</button>
    </div>
  `
  const formCard = postForm({
    action: path('settings/webhook'),
    token,
    fields: { part: 'webhook' },
    body,
  })
  return html`
    <section class="card" id="webhook">
      ${cardHead('Webhook', isSet ? undefined : 'None yet')}
      ${isSet && lastMessage(webhookAttempt, now)}
      ${formCard}
      ${isSet && html`<div class="acts">${webhookActions(path, { token, url: webhook, format: webhookFormat })}</div>`}
    </section>
  `
}

function lastMessage(attempt: WebhookAttempt | undefined, now: number): Html {
  if (attempt === undefined)
    return valueRows([{ name: 'Last message', value: 'None yet. Send a test to try the webhook.' }])
  const { type, at, status, reason = '' } = attempt
  const state =
    status === undefined
      ? html`${stateTag(BAD('Not delivered'))} <span class="muted">${reason}</span>`
      : stateTag(GOOD(`Delivered, ${status}`))
  return valueRows([
    {
      name: 'Last message',
      value: state,
      source: html`<code>${type}</code> ${timeTag(at, now)}`,
    },
  ])
}

type Target = { readonly token: string; readonly url: string; readonly format: string }

const webhookActions = (
  path: ProjectScreen['path'],
  { token, url, format }: Target,
): readonly Html[] => [
  actionRow({
    title: 'Test',
    text: 'Sends one message of the type “test” and shows what your server responded.',
    action: postButton({ action: path('settings/webhook/test'), token, label: 'Send a test' }),
  }),
  actionRow({
    title: 'Rotate the secret',
    text: 'Creates a new secret. The old one stops working immediately.',
    action: postButton({
      action: path('settings/webhook'),
      token,
      fields: { part: 'webhook', url, format },
      label: 'Rotate',
    }),
  }),
  actionRow({
    title: 'Remove the webhook',
    text: 'No more messages are sent, and the secret is deleted.',
    action: postButton({
      action: path('settings/webhook/remove'),
      token,
      label: 'Remove',
      look: 'danger',
    }),
  }),
]

/** Renders a new signing secret, which is shown only once. */
export function secretCard(secret: string): Html {
  return html`
    <section class="card">
      ${cardHead('Signing secret of the webhook')}
      <div class="card-body stack">
        ${notice({
          tone: 'warning',
          sign: 'eye-off',
          title: 'Copy the secret now. It is shown only once.',
          text: 'Your server uses the secret to check the signature of each message.',
        })}
        ${secretField({ id: 'new-secret', label: 'Secret', value: secret, copy: 'Copy secret' })}
      </div>
    </section>
  `
}
