/** `/projects/:id/assistant`: the model, its budget, and a test question. */
import { AssistantAnswer, AssistantReply } from '@octavo/contract'
import { answerText } from '../../parts/answer.ts'
import { card, factList, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postButton, postForm, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { shortAddress, webLink } from '../../parts/link.ts'
import { notice, problemNotice, savedNotice } from '../../parts/notice.ts'
import { nowCard } from '../../parts/now.ts'
import { countText } from '../../parts/number.ts'
import { resolutionState, stateTag } from '../../parts/state.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { MODES, settingsForm } from './form.ts'

const WARNING_SHARE = 0.8

type Shown = { readonly attempt?: Attempt; readonly answer?: HtmlPart; readonly question?: string }

const settingsPath = ({ project }: ProjectScreen) => apiPaths.project(project.id, '/assistant')

export async function showAssistant(screen: ProjectScreen, shown: Shown = {}): Promise<Response> {
  const { visit, project, options, url } = screen
  const settings = await readApi(visit.api, AssistantReply, settingsPath(screen))
  const saved = savedNotice(url, shown.attempt, 'The settings were saved.')
  return projectPage(screen, {
    section: 'assistant',
    title: 'Assistant',
    status: shown.attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Assistant',
        lead: 'Uses your pages to answer questions from readers and agents, with links to the sources.',
        actions: settings.isOn && offButton(screen),
      })}
      ${saved}
      ${currentState(screen, settings)}
      ${usage(settings)}
      ${testForm(screen, shown)}
      ${settingsForm(screen, settings, shown.attempt)}
      ${equivalentCommands(
        curlCommand({ url: options.url, path: settingsPath(screen) }),
        `octavo-service assistant show ${project.id}\noctavo-service assistant test ${project.id}`,
      )}
    `,
  })
}

const offButton = ({ visit, path }: ProjectScreen) =>
  postButton({
    action: path('assistant/off'),
    token: visit.formToken,
    label: html`Turn off<span class="sr-only"> the assistant</span>`,
  })

/** Renders the current state: whether readers get answers from a model, or quotations. */
function currentState({ path, may }: ProjectScreen, settings: AssistantReply): Html {
  const { isOn, model, serviceModel, today, month } = settings
  const actions =
    may('analytics:read') &&
    html`<a class="button" href="${path('conversations')}">Conversations</a>`
  if (!isOn)
    return nowCard({
      tone: 'off',
      sign: 'bot',
      title: 'Off',
      text: 'Readers do not see the assistant. Its settings are kept; save them to turn it on.',
      actions,
    })
  const name =
    model?.model ??
    (serviceModel === null ? undefined : `${serviceModel} (provided by the service)`)
  if (name === undefined)
    return nowCard({
      tone: 'good',
      sign: 'bot',
      title: 'On, with quotations',
      text: 'Answers are the passages that match best, word for word, with links.',
      actions,
    })
  const isSpent = [today, month].some(({ tokens, tokensMax }) => isOver(tokens, tokensMax, 1))
  if (isSpent)
    return nowCard({
      tone: 'warning',
      sign: 'bot',
      title: 'On, with quotations until the budget renews',
      text: `The budget of ${name} is used up. Raise the budget, or wait for the next day or month.`,
      actions,
    })
  return nowCard({
    tone: 'good',
    sign: 'bot',
    title: `On, with ${name}`,
    text: 'Every answer lists its sources.',
    actions,
  })
}

export async function turnOff(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: settingsPath(screen),
  })
  if (!sent.ok) return showAssistant(screen, { answer: problemNotice(sent.problem.detail) })
  return redirect(screen.path('assistant'))
}

/** Saves the settings. If a budget is empty, the service's budget applies. */
export async function saveAssistant(screen: ProjectScreen, form: Form): Promise<Response> {
  const count = (name: string) => {
    const text = formValue(form, name)
    return text === '' ? null : Number(text)
  }
  const key = formValue(form, 'key')
  const model = formValue(form, 'model')
  const { model: stored } = await readApi(screen.visit.api, AssistantReply, settingsPath(screen))
  const own = {
    ...(stored && { contextTokens: stored.contextTokens, hasTools: stored.hasTools }),
    url: formValue(form, 'url'),
    model,
    format: formValue(form, 'format'),
    ...(key !== '' && { key }),
  }
  const mode = formValue(form, 'mode')
  const isNone = mode === MODES.none || (mode === '' && model === '' && own.url === '')
  const sent = await sendApi(screen.visit.api, AssistantReply, {
    method: 'PUT',
    path: settingsPath(screen),
    body: {
      model: isNone ? null : own,
      mask: form.has('mask'),
      proofOfWork: form.has('proofOfWork'),
      askInPreviews: form.has('askInPreviews'),
      tokensPerDay: count('tokensPerDay'),
      tokensPerMonth: count('tokensPerMonth'),
    },
  })
  if (!sent.ok) return showAssistant(screen, { attempt: { form, problem: sent.problem } })
  return redirect(screen.path('assistant?saved'))
}

export async function testAssistant(screen: ProjectScreen, form: Form): Promise<Response> {
  const question = formValue(form, 'question')
  const sent = await sendApi(screen.visit.api, AssistantAnswer, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/assistant/test'),
    body: { question },
  })
  const answer = sent.ok
    ? testAnswer(screen, sent.data)
    : notice({ tone: 'bad', title: 'No answer.', text: sent.problem.detail })
  return showAssistant(screen, { answer, question })
}

function testAnswer({ site }: ProjectScreen, answer: AssistantAnswer): Html {
  const { response, resolutionStatus, model = 'Quotation', usedTokens } = answer
  const isAnswered = resolutionStatus === 'answered'
  const pages = isAnswered ? answer.sources : answer.nearest
  const list = pages.map(
    ({ title, url }, index) =>
      html`
        <li>
          <span class="cite">${index + 1}</span>
          <span>
            ${webLink(url, title || url, { base: site.url })}
            <span class="mono muted">${shortAddress(url, site.url)}</span>
          </span>
        </li>
      `,
  )
  const facts = factList([
    ['Result', stateTag(resolutionState(resolutionStatus))],
    ['Answered by', model],
    usedTokens === 0 ? undefined : ['Tokens', countText(usedTokens)],
  ])
  return html`
    <div class="test-answer">
      <div>${answerText({ response, sources: answer.sources }, site.url)}</div>
      <div>
        ${list.length > 0 && html`<h3>${isAnswered ? 'Sources' : 'Closest pages'}</h3><ol class="sources">${list}</ol>`}
        ${facts}
      </div>
    </div>
  `
}

function testForm({ visit, path }: ProjectScreen, { answer, question = '' }: Shown): Html {
  const form = postForm({
    action: path('assistant/test'),
    token: visit.formToken,
    className: 'filters',
    body: html`
      ${textField({
        name: 'question',
        label: 'Question',
        value: question,
        isRequired: true,
        maxLength: 2_000,
        className: 'grow',
        placeholder: 'How do I get started?',
      })}
      <button class="button">Ask</button>
    `,
  })
  return card({
    title: 'Test question',
    aside: 'Answered from the live site. Test questions are not counted or stored.',
    isFlush: true,
    body: html`${form}${answer}`,
  })
}

function usage({ today, month }: AssistantReply): Html {
  const items = [
    { label: 'Tokens this month', ...month },
    { label: 'Tokens today', ...today },
  ]
  const isNearly = items.some(({ tokens, tokensMax }) => isOver(tokens, tokensMax, WARNING_SHARE))
  const warning =
    isNearly &&
    notice({
      tone: 'warning',
      title: 'The budget is nearly used up.',
      text: 'Once it is used up, readers get quotations instead of written answers.',
    })
  const parts = items.map(({ label, tokens, tokensMax }) => {
    const limit = tokensMax === null ? 'no limit' : `of ${countText(tokensMax)}`
    return html`
      <div>
        <dt>${label}</dt>
        <dd>${countText(tokens)} <span class="delta">${limit}</span></dd>
      </div>
    `
  })
  return html`
    ${warning}
    <dl class="card statistics">
      <div>
        <dt>Questions this month</dt>
        <dd>
          ${countText(month.questions)} <span class="delta">${countText(month.cached)} from the cache</span>
        </dd>
      </div>
      ${parts}
    </dl>
  `
}

const isOver = (tokens: number, max: number | null, share: number) =>
  max !== null && tokens >= max * share
