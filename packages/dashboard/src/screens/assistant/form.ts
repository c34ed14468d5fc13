/** The form for the assistant's settings. */
import type { AssistantReply } from '@octavo/contract'
import { cardHead } from '../../parts/card.ts'
import { checkbox, postButton, postForm, selectField, textField } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { problemNotice } from '../../parts/notice.ts'
import { errorOf, generalError } from '../../visit/call-api.ts'
import { type Attempt, formValue, type ProjectScreen } from '../../visit/screen.ts'

const FIELDS = ['model', 'tokensPerDay', 'tokensPerMonth']

export function settingsForm(
  { visit, path }: ProjectScreen,
  settings: AssistantReply,
  attempt: Attempt | undefined,
): Html {
  const token = visit.formToken
  const off =
    settings.isOn &&
    postButton({
      action: path('assistant/off'),
      token,
      look: 'small',
      label: html`Turn off<span class="sr-only"> the assistant</span>`,
    })
  const fields = [...modelFields(settings, attempt), ...budgetFields(settings, attempt)]
  const checks = checkFields(settings, attempt)
  const form = postForm({
    action: path('assistant'),
    token,
    body: html`
      <div class="card-body stack">
        ${problemNotice(generalError(attempt?.problem, FIELDS))}
        <div class="form-grid">${fields}</div>
        ${checks}
      </div>
      <div class="card-foot">
        <button class="button primary end">${settings.isOn ? 'Save' : 'Save and turn on'}</button>
      </div>
    `,
  })
  return html`<section class="card">${cardHead('Settings', off)}${form}</section>`
}

function modelFields({ model, serviceModel }: AssistantReply, attempt?: Attempt): readonly Html[] {
  const errorAt = (name: string) => errorOf(attempt?.problem, name)
  const without =
    serviceModel === null
      ? 'Without one, answers are quotations.'
      : `Without one, ${serviceModel} of the service answers.`
  return [
    textField({
      name: 'url',
      label: 'Base URL',
      type: 'url',
      value: shownValue('url', model?.url, attempt),
      placeholder: 'https://models.example.com/v1',
      isOptional: true,
      error: errorAt('model.url') ?? errorAt('model'),
      hint: without,
    }),
    textField({
      name: 'model',
      label: 'Model',
      value: shownValue('model', model?.model, attempt),
      placeholder: 'qwen3-32b',
      isOptional: true,
      error: errorAt('model.model'),
    }),
    selectField({
      name: 'format',
      label: 'Format',
      value: shownValue('format', model?.format, attempt) || 'openai',
      choices: [
        { value: 'openai', label: 'OpenAI' },
        { value: 'anthropic', label: 'Anthropic' },
      ],
      error: errorAt('model.format'),
    }),
    textField({
      name: 'key',
      label: 'API key',
      type: 'password',
      isOptional: true,
      placeholder: model?.hasKey ? 'Stored. Type another to replace it.' : '',
      error: errorAt('model.key'),
      hint: 'It is stored encrypted and never shown again.',
    }),
  ]
}

function budgetFields(settings: AssistantReply, attempt?: Attempt): readonly Html[] {
  const budget = (name: 'tokensPerDay' | 'tokensPerMonth', label: string) =>
    textField({
      name,
      label,
      type: 'number',
      min: 0,
      value: shownValue(name, settings[name], attempt),
      placeholder: 'That of the service',
      isOptional: true,
      error: errorOf(attempt?.problem, name),
    })
  return [budget('tokensPerDay', 'Tokens a day'), budget('tokensPerMonth', 'Tokens a month')]
}

function checkFields(settings: AssistantReply, attempt?: Attempt): readonly Html[] {
  const isChecked = (name: 'mask' | 'proofOfWork') => attempt?.form.has(name) ?? settings[name]
  return [
    checkbox({
      name: 'mask',
      value: 'on',
      label: 'Mask keys and addresses in questions',
      hint: 'Before anything is stored or sent to a model.',
      isChecked: isChecked('mask'),
    }),
    checkbox({
      name: 'proofOfWork',
      value: 'on',
      label: 'Require proof of work (slows bots)',
      hint: 'A browser computes for about a second before the first question.',
      isChecked: isChecked('proofOfWork'),
    }),
  ]
}

/** Returns the typed value, or else the saved one. */
const shownValue = (
  name: string,
  saved: string | number | null | undefined,
  attempt: Attempt | undefined,
) => (attempt === undefined ? String(saved ?? '') : formValue(attempt.form, name))
