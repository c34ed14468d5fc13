/** The form for the assistant's settings. */
import type { AssistantReply } from '@octavo/contract'
import { cardHead } from '../../parts/card.ts'
import { checkbox, postForm, secretField, selectField, textField } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { type Mode, modeList } from '../../parts/modes.ts'
import { problemNotice } from '../../parts/notice.ts'
import { errorOf, generalError } from '../../visit/call-api.ts'
import { type Attempt, formValue, type ProjectScreen } from '../../visit/screen.ts'

const FIELDS = ['model', 'tokensPerDay', 'tokensPerMonth']

/** The answer modes of the form: the project's own model, or none. */
export const MODES = { own: 'model', none: 'none' } as const

export function settingsForm(
  { visit, path }: ProjectScreen,
  settings: AssistantReply,
  attempt: Attempt | undefined,
): Html {
  const { model, isOn } = settings
  const stored = model === null ? MODES.none : MODES.own
  const form = postForm({
    action: path('assistant'),
    token: visit.formToken,
    body: html`
      ${modeList({
        name: 'mode',
        legend: 'How the assistant answers',
        value: attempt === undefined ? stored : formValue(attempt.form, 'mode') || stored,
        modes: [ownModel(settings, attempt), withoutModel(settings)],
      })}
      <div class="card-body stack below-modes">
        ${problemNotice(generalError(attempt?.problem, FIELDS))}
        <div class="form-grid">${budgetFields(settings, attempt)}</div>
        ${checkFields(settings, attempt)}
      </div>
      <div class="card-foot">
        <button class="button primary end">${isOn ? 'Save' : 'Save and turn on'}</button>
      </div>
    `,
  })
  return html`<section class="card">${cardHead('How the assistant answers')}${form}</section>`
}

function ownModel({ model }: AssistantReply, attempt: Attempt | undefined): Mode {
  const errorAt = (name: string) => errorOf(attempt?.problem, name)
  const fields = [
    textField({
      name: 'url',
      label: 'Base URL',
      type: 'url',
      value: shownValue('url', model?.url, attempt),
      placeholder: 'https://models.example.com/v1',
      error: errorAt('model.url') ?? errorAt('model'),
      hint: 'Any endpoint that supports the OpenAI or Anthropic format.',
    }),
    textField({
      name: 'model',
      label: 'Model',
      value: shownValue('model', model?.model, attempt),
      placeholder: 'qwen3-32b',
      error: errorAt('model.model'),
    }),
    secretField({
      name: 'key',
      label: 'API key',
      stored: model?.hasKey ? { word: 'Saved', at: undefined, now: 0 } : undefined,
      error: errorAt('model.key'),
      hint: 'It is stored encrypted and is not shown again.',
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
  ]
  return {
    value: MODES.own,
    label: 'With your model',
    hint: 'Writes an answer from the pages it finds',
    text: 'The model receives the question and the passages that match it. Every answer lists its sources.',
    fields: html`<div class="form-grid">${fields}</div>`,
  }
}

function withoutModel({ serviceModel }: AssistantReply): Mode {
  if (serviceModel !== null)
    return {
      value: MODES.none,
      label: 'With the service’s model',
      hint: serviceModel,
      text: `The operator of this service provides ${serviceModel}.`,
    }
  return {
    value: MODES.none,
    label: 'Without a model',
    hint: 'Quotes the best passages, at no cost',
    text: 'The assistant finds the passages that match best and shows them word for word, with links. If no page matches, it says so. No data leaves this server.',
  }
}

function budgetFields(settings: AssistantReply, attempt?: Attempt): readonly Html[] {
  const budget = (name: 'tokensPerDay' | 'tokensPerMonth', label: string) =>
    textField({
      name,
      label,
      type: 'number',
      min: 0,
      value: shownValue(name, settings[name], attempt),
      placeholder: 'Service default',
      isOptional: true,
      error: errorOf(attempt?.problem, name),
    })
  return [budget('tokensPerDay', 'Tokens per day'), budget('tokensPerMonth', 'Tokens per month')]
}

function checkFields(settings: AssistantReply, attempt?: Attempt): readonly Html[] {
  const isChecked = (name: 'mask' | 'proofOfWork' | 'askInPreviews') =>
    attempt?.form.has(name) ?? settings[name]
  return [
    checkbox({
      name: 'mask',
      value: 'on',
      label: 'Mask keys and addresses in questions',
      hint: 'The question is masked before it is stored or sent to a model.',
      isChecked: isChecked('mask'),
    }),
    checkbox({
      name: 'proofOfWork',
      value: 'on',
      label: 'Require proof of work (slows bots)',
      hint: 'A reader’s browser computes for about a second before it sends the first question.',
      isChecked: isChecked('proofOfWork'),
    }),
    checkbox({
      name: 'askInPreviews',
      value: 'on',
      label: 'Ask readers’ questions again in previews',
      hint: 'Finds answers that a change loses. Questions are masked, and pull requests show only numbers.',
      isChecked: isChecked('askInPreviews'),
    }),
  ]
}

/** Returns the typed value of a rejected form, or else the saved value. */
const shownValue = (
  name: string,
  saved: string | number | null | undefined,
  attempt: Attempt | undefined,
) => (attempt === undefined ? String(saved ?? '') : formValue(attempt.form, name))
