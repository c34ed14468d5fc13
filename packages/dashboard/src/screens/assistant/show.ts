/** `/projects/:id/assistant`: the model, its budget, and a test question. */
import { AssistantAnswer, AssistantReply } from '@octavo/contract'
import { card, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postForm, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { webLink } from '../../parts/link.ts'
import { notice, problemNotice, savedNotice } from '../../parts/notice.ts'
import { countText } from '../../parts/number.ts'
import { GOOD, OFF, resolutionState, stateTag } from '../../parts/state.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { settingsForm } from './form.ts'

const NEARLY = 0.8

type Shown = { readonly attempt?: Attempt; readonly answer?: HtmlPart; readonly question?: string }

const settingsPath = ({ project }: ProjectScreen) => apiPaths.project(project.id, '/assistant')

export async function showAssistant(screen: ProjectScreen, shown: Shown = {}): Promise<Response> {
  const { visit, project, options, url } = screen
  const settings = await readApi(visit.api, AssistantReply, settingsPath(screen))
  const saved = savedNotice(url, shown.attempt, 'The settings were saved.')
  const state = stateTag(settings.isOn ? GOOD('On') : OFF('Off'), true)
  return projectPage(screen, {
    section: 'assistant',
    title: 'Assistant',
    status: shown.attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Assistant',
        lead: 'It answers readers from your pages and names them. Without a model it quotes.',
        state,
      })}
      ${saved}
      ${offNotice(settings)}
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

function offNotice({ isOn }: AssistantReply): HtmlPart {
  if (isOn) return undefined
  return notice({
    tone: 'warning',
    title: 'Readers do not see the assistant.',
    text: 'Its settings stay. Saving them turns it on.',
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

/** Saves the settings. An empty budget or model means the service's. */
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
  const isNone = model === '' && own.url === ''
  const sent = await sendApi(screen.visit.api, AssistantReply, {
    method: 'PUT',
    path: settingsPath(screen),
    body: {
      model: isNone ? null : own,
      mask: form.has('mask'),
      proofOfWork: form.has('proofOfWork'),
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
      html`<li><span class="cite">${index + 1}</span>${webLink(url, title || url, { base: site.url })}</li>`,
  )
  const facts = usedTokens > 0 ? `${model}, ${countText(usedTokens)} tokens` : model
  return html`
    <div class="said">
      <header>${stateTag(resolutionState(resolutionStatus))}<span>${facts}</span></header>
      <div class="answer"><p>${response}</p></div>
      ${
        list.length > 0 &&
        html`<h3>${isAnswered ? 'Sources' : 'Pages that came nearest'}</h3><ol class="sources">${list}</ol>`
      }
    </div>
  `
}

function testForm({ visit, path }: ProjectScreen, { answer, question = '' }: Shown): Html {
  const form = postForm({
    action: path('assistant/test'),
    token: visit.formToken,
    className: 'filters flat',
    body: html`
      ${textField({
        name: 'question',
        label: 'Question',
        value: question,
        isRequired: true,
        maxLength: 2_000,
        className: 'grow',
        placeholder: 'How do I begin?',
      })}
      <button class="button">Ask</button>
    `,
  })
  return card({
    title: 'Test question',
    aside: 'Answered from the live site. It is not counted as a conversation.',
    isFlush: true,
    body: html`<div class="card-body">${form}</div>${answer}`,
  })
}

function usage({ today, month }: AssistantReply): Html {
  const items = [
    { label: 'Tokens today', ...today },
    { label: 'Tokens this month', ...month },
  ]
  const isNearly = items.some(({ tokens, tokensMax }) => isNear(tokens, tokensMax))
  const warning =
    isNearly &&
    notice({
      tone: 'warning',
      title: 'The budget is nearly used up.',
      text: 'When it is, readers get quotations instead of written answers.',
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
      ${parts}
      <div>
        <dt>Questions this month</dt>
        <dd>
          ${countText(month.questions)} <span class="delta">${countText(month.cached)} from the cache</span>
        </dd>
      </div>
    </dl>
  `
}

const isNear = (tokens: number, max: number | null) => max !== null && tokens >= max * NEARLY
