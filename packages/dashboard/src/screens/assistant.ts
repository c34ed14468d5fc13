/** `/projects/:id/assistant`: who answers readers, what it may cost, and a test question. */
import { type Html, type HtmlPart, html } from '@octavo/theme'
import { apiPaths } from '../api-paths.ts'
import {
  ANY_REPLY,
  errorOf,
  type FormProblem,
  generalError,
  readApi,
  sendApi,
} from '../call-api.ts'
import { LooseReply } from '../loose-reply.ts'
import { card, pageHead } from '../parts/card.ts'
import { curlCommand, sameWithoutThisPage } from '../parts/code-sample.ts'
import { redirect } from '../parts/document.ts'
import { checkbox, postForm, selectField, textField } from '../parts/form.ts'
import { projectPage } from '../parts/frame.ts'
import { webLink } from '../parts/link.ts'
import { notice, problemNotice } from '../parts/notice.ts'
import { countText } from '../parts/number.ts'
import { GOOD, OFF, resolutionState, stateTag } from '../parts/state.ts'
import { type Form, formValue, type ProjectScreen } from '../screen.ts'

const FIELDS = ['url', 'model', 'format', 'tokensPerDay', 'tokensPerMonth', 'enabled', 'mask']
const NEARLY = 0.8

type Attempt = { readonly form: Form; readonly problem: FormProblem }
type Shown = { readonly attempt?: Attempt; readonly answer?: HtmlPart; readonly question?: string }

export async function showAssistant(screen: ProjectScreen, shown: Shown = {}): Promise<Response> {
  const { visit, project, options, url } = screen
  const path = apiPaths.project(project.id, '/assistant')
  const settings = new LooseReply(await readApi(visit.api, ANY_REPLY, path))
  const saved =
    url.searchParams.has('saved') &&
    shown.attempt === undefined &&
    notice({ tone: 'good', text: 'The settings were saved.' })
  const isOn = settings.flag('enabled', 'on') ?? true
  return projectPage(screen, {
    section: 'assistant',
    title: 'Assistant',
    status: shown.attempt?.problem.status ?? 200,
    body: html`${pageHead({ title: 'Assistant', lead: 'It answers readers from your pages and names them. Without a model it quotes.', state: stateTag(isOn ? GOOD('On') : OFF('Off'), true) })}${saved}${usage(settings)}${testForm(screen, shown)}${settingsForm(screen, settings, shown.attempt)}${sameWithoutThisPage(curlCommand({ url: options.url, path }), `octavo-service assistant show ${project.id}\noctavo-service assistant test ${project.id}`)}`,
  })
}

export async function saveAssistant(screen: ProjectScreen, form: Form): Promise<Response> {
  const count = (name: string) => {
    const text = formValue(form, name)
    return text === '' ? null : Number(text)
  }
  const model = formValue(form, 'model')
  const sent = await sendApi(screen.visit.api, ANY_REPLY, {
    method: 'PUT',
    path: apiPaths.project(screen.project.id, '/assistant'),
    body: {
      enabled: form.has('enabled'),
      ...(model === ''
        ? { model: null }
        : {
            model: { url: formValue(form, 'url'), name: model, format: formValue(form, 'format') },
          }),
      tokensPerDay: count('tokensPerDay'),
      tokensPerMonth: count('tokensPerMonth'),
      mask: form.has('mask'),
    },
  })
  if (!sent.ok) return showAssistant(screen, { attempt: { form, problem: sent.problem } })
  return redirect(screen.path('assistant?saved'))
}

export async function testAssistant(screen: ProjectScreen, form: Form): Promise<Response> {
  const question = formValue(form, 'question')
  const sent = await sendApi(screen.visit.api, ANY_REPLY, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/assistant/test'),
    body: { question },
  })
  if (!sent.ok) {
    const answer = notice({ tone: 'bad', title: 'No answer.', text: sent.problem.detail })
    return showAssistant(screen, { answer, question })
  }
  return showAssistant(screen, { answer: testAnswer(screen, new LooseReply(sent.data)), question })
}

function testAnswer({ site }: ProjectScreen, reply: LooseReply): Html {
  const text = reply.text('answer', 'response', 'text') ?? ''
  const status = reply.text('resolutionStatus', 'status')
  const sources = reply
    .list('sources')
    .map(
      (source, index) =>
        html`<li><span class="cite">${index + 1}</span>${webLink(source.text('url'), source.text('title') ?? source.text('url'), { base: site.url })}</li>`,
    )
  const facts = [reply.text('model'), reply.number('tokens', 'usedTokens')]
    .filter((one) => one !== undefined)
    .map((one) => (typeof one === 'number' ? `${countText(one)} tokens` : one))
    .join(', ')
  return html`<div class="said"><header>${status === 'answered' || status === 'unanswered' ? stateTag(resolutionState(status)) : undefined}<span>${facts}</span></header><div class="answer"><p>${text}</p></div>${sources.length > 0 && html`<ol class="sources">${sources}</ol>`}</div>`
}

function testForm({ visit, path }: ProjectScreen, { answer, question = '' }: Shown): Html {
  const form = postForm({
    action: path('assistant/test'),
    token: visit.formToken,
    className: 'filters flat',
    body: html`${textField({ name: 'question', label: 'Question', value: question, isRequired: true, maxLength: 2_000, className: 'grow', placeholder: 'How do I begin?' })}<button class="button">Ask</button>`,
  })
  return card({
    title: 'Test question',
    aside: 'Answered from the live site. It is not counted as a conversation.',
    isFlush: true,
    body: html`<div class="card-body">${form}</div>${answer}`,
  })
}

function usage(settings: LooseReply): HtmlPart {
  const used = settings.part('usage', 'used')
  const items = [
    {
      label: 'Tokens today',
      count: used.number('day', 'today'),
      max: settings.number('tokensPerDay'),
    },
    {
      label: 'Tokens this month',
      count: used.number('month'),
      max: settings.number('tokensPerMonth'),
    },
  ].filter(({ count }) => count !== undefined)
  if (items.length === 0) return undefined
  const isNearly = items.some(({ count = 0, max }) => max !== undefined && count >= max * NEARLY)
  return html`${isNearly && notice({ tone: 'warning', title: 'The budget is nearly used up.', text: 'When it is, readers get quotations instead of written answers.' })}<dl class="card statistics">${items.map(({ label, count = 0, max }) => html`<div><dt>${label}</dt><dd>${countText(count)} ${html`<span class="delta">${max === undefined ? 'no limit' : `of ${countText(max)}`}</span>`}</dd></div>`)}</dl>`
}

function settingsForm(
  { visit, path }: ProjectScreen,
  settings: LooseReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  const model = settings.part('model')
  const value = (name: string, saved: string | number | undefined) =>
    form === undefined ? String(saved ?? '') : formValue(form, name)
  const isOn = form === undefined ? (settings.flag('enabled', 'on') ?? true) : form.has('enabled')
  const masks = form === undefined ? (settings.flag('mask') ?? true) : form.has('mask')
  const budget = (name: string, label: string) =>
    textField({
      name,
      label,
      type: 'number',
      min: 0,
      value: value(name, settings.number(name)),
      placeholder: 'No limit',
      isOptional: true,
      error: errorOf(problem, name),
    })
  const fields = html`<div class="form-grid">${textField({ name: 'url', label: 'Address of the model', type: 'url', value: value('url', model.text('url') ?? settings.text('url')), placeholder: 'http://localhost:11434/v1', isOptional: true, error: errorOf(problem, 'model.url') ?? errorOf(problem, 'url'), hint: 'Without one the model of the service answers, or quotations.' })}${textField({ name: 'model', label: 'Name of the model', value: value('model', model.text('name', 'model') ?? settings.text('model')), placeholder: 'qwen3-32b', isOptional: true, error: errorOf(problem, 'model') })}${selectField(
    {
      name: 'format',
      label: 'Format',
      value: value('format', model.text('format')) || 'openai',
      choices: [
        { value: 'openai', label: 'OpenAI' },
        { value: 'anthropic', label: 'Anthropic' },
      ],
      error: errorOf(problem, 'format'),
      hint: html`Its key is set with <code>octavo-service assistant set --key-file</code>.`,
    },
  )}<div class="form-grid">${budget('tokensPerDay', 'Tokens a day')}${budget('tokensPerMonth', 'Tokens a month')}</div></div>`
  return postForm({
    action: path('assistant'),
    token: visit.formToken,
    className: 'card',
    body: html`<div class="card-head"><h2>Settings</h2></div><div class="card-body stack">${problemNotice(generalError(problem, FIELDS))}${checkbox({ name: 'enabled', value: 'on', label: 'The assistant is on', hint: 'Readers see its button on every page.', isChecked: isOn })}${fields}${checkbox({ name: 'mask', value: 'on', label: 'Mask keys and addresses in questions', hint: 'Before anything is stored or sent to a model.', isChecked: masks })}</div><div class="card-foot"><button class="button primary end">Save</button></div>`,
  })
}
