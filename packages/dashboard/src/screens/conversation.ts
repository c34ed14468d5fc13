/** `/projects/:id/conversations/:id`: one question and its answer, with what is known of it. */
import { Conversation } from '@octavo/service/contract'
import { type Html, type HtmlPart, html } from '@octavo/theme'
import { apiPaths } from '../api-paths.ts'
import { ANY_REPLY, readApi, sendApi } from '../call-api.ts'
import { LooseReply } from '../loose-reply.ts'
import { card, factList, pageHead } from '../parts/card.ts'
import { curlCommand, sameWithoutThisPage } from '../parts/code-sample.ts'
import { confirmPage } from '../parts/confirm.ts'
import { redirect } from '../parts/document.ts'
import { projectPage } from '../parts/frame.ts'
import { icon } from '../parts/icon.ts'
import { webLink } from '../parts/link.ts'
import { notice } from '../parts/notice.ts'
import { countText } from '../parts/number.ts'
import { feedbackState, resolutionState, stateTag } from '../parts/state.ts'
import { timeTag } from '../parts/time.ts'
import type { ProjectScreen } from '../screen.ts'

const TITLE_LENGTH_MAX = 140

/** Conversations of an import have none of the details; those of the assistant have most. */
const REASONS: Readonly<Record<string, string>> = {
  declared: 'The assistant said so itself.',
  'no-sources': 'No page was found for it.',
  'low-support': 'What was found did not support an answer.',
  stopped: 'The reader stopped it.',
  budget: 'The budget of the assistant was used up.',
  'provider-error': 'The model did not answer.',
  interrupted: 'The answer was interrupted.',
}

async function readConversation({ visit, project }: ProjectScreen, id: string) {
  const path = apiPaths.project(project.id, `/conversations/${encodeURIComponent(id)}`)
  const reply = await readApi(visit.api, ANY_REPLY, path)
  const record = reply as Record<string, unknown>
  const base = 'conversation' in record ? record.conversation : record
  return {
    conversation: Conversation.loose().parse(base),
    details: new LooseReply({ ...(base as object), ...record }),
  }
}

export async function showConversation(screen: ProjectScreen, id: string): Promise<Response> {
  const { conversation, details } = await readConversation(screen, id)
  const { options, project, path, may } = screen
  const title = shorten(conversation.query)
  const facts = card({ title: 'Facts', body: factLines(screen, conversation, details) })
  const note = details.text('feedbackReason') ?? details.part('feedback').text('reason', 'text')
  const body = html`${pageHead({ title, back: { href: path('conversations'), label: 'Conversations' } })}<div class="grid with-side"><div class="stack">${unanswered(screen, conversation, details)}${spoken(screen, conversation)}${retrieved(screen, details)}</div><div class="stack">${facts}${note !== undefined && card({ title: 'The reader’s note', body: html`<p>“${note}”</p>` })}${may('analytics:write') && card({ title: 'Delete', body: html`<p class="hint">Removes the question, the answer, the sources and the reader’s note. It cannot be undone.</p><p class="after"><a class="button danger" href="${path(`conversations/${id}/delete`)}">${icon('trash')}Delete this conversation…</a></p>` })}</div></div>${sameWithoutThisPage(curlCommand({ url: options.url, path: apiPaths.project(project.id, `/conversations/${id}`) }))}`
  return projectPage(screen, { section: 'conversations', title, body })
}

const shorten = (text: string) =>
  text.length > TITLE_LENGTH_MAX ? `${text.slice(0, TITLE_LENGTH_MAX).trimEnd()}…` : text

function unanswered(
  { path }: ProjectScreen,
  { resolutionStatus }: Conversation,
  details: LooseReply,
): HtmlPart {
  if (resolutionStatus === 'answered') return undefined
  const reason = details.text('reason', 'resolutionReason') ?? ''
  const gap = details.text('gap', 'gapId')
  return notice({
    tone: 'warning',
    sign: 'alert-circle',
    title: 'Unanswered.',
    text: html`${REASONS[reason] ?? 'Your pages do not answer this question.'} ${gap !== undefined && html`It belongs to <a href="${path(`gaps#${gap}`)}">a gap</a>.`}`,
  })
}

function spoken({ now, site }: ProjectScreen, conversation: Conversation): Html {
  const { query, response, sources, pageUrl, timestamp } = conversation
  const paragraphs = response
    .split(/\n{2,}/)
    .filter((text) => text.trim() !== '')
    .map((text) => html`<p>${text}</p>`)
  const list = sources.map(
    ({ title, url }, index) =>
      html`<li><span class="cite">${index + 1}</span>${webLink(url, title || url, { base: site.url })}<span class="mono muted">${url}</span></li>`,
  )
  return html`<section class="card"><div class="said"><header>${icon('user')}<span>Reader${pageUrl !== undefined && html`, on <code>${pageUrl}</code>`}, ${timeTag(timestamp, now)}</span></header><p class="question">${query}</p></div><div class="said"><header>${icon('bot')}<span>Assistant</span></header><div class="answer">${paragraphs.length === 0 ? html`<p class="muted">No answer was given.</p>` : paragraphs}</div></div>${list.length > 0 && html`<div class="said"><h2>Sources</h2><ol class="sources">${list}</ol></div>`}</section>`
}

function retrieved({ site }: ProjectScreen, details: LooseReply): HtmlPart {
  const sections = details.list('retrieved', 'nearest')
  if (sections.length === 0) return undefined
  const rows = sections.map((section) => {
    const address = section.text('url', 'path', 'address') ?? ''
    const score = section.number('score')
    return html`<tr><th scope="row">${webLink(address, section.text('title') ?? address, { base: site.url, className: 'main' })}<div class="sub"><span class="mono">${address}</span></div></th><td class="end">${score === undefined ? '–' : score.toFixed(2)}</td></tr>`
  })
  return card({
    title: 'What was retrieved',
    aside: 'Sections that the assistant looked at',
    isFlush: true,
    body: html`<table><caption class="sr-only">Sections that were retrieved</caption><thead><tr><th scope="col">Section</th><th scope="col" class="end">Score</th></tr></thead><tbody>${rows}</tbody></table>`,
  })
}

function factLines(
  { path }: ProjectScreen,
  { id, resolutionStatus, queryCategory, threadId }: Conversation,
  details: LooseReply,
): Html {
  const deployment = details.text('deployment', 'deploymentId')
  const tokens = details.number('tokens', 'usedTokens')
  const model = details.text('model')
  const feedback = details.text('feedback') ?? helpfulOf(details.part('feedback'))
  const reader = details.text('reader')
  return factList([
    ['Status', stateTag(resolutionState(resolutionStatus))],
    feedback === 'helpful' || feedback === 'unhelpful'
      ? ['Feedback', stateTag(feedbackState(feedback))]
      : undefined,
    queryCategory === undefined ? undefined : ['Category', queryCategory],
    reader === undefined ? undefined : ['Reader', reader],
    deployment === undefined
      ? undefined
      : [
          'Deployment',
          html`<a class="mono" href="${path(`deployments/${deployment}`)}">…${deployment.slice(-8)}</a>`,
        ],
    model === undefined ? undefined : ['Model', model],
    tokens === undefined ? undefined : ['Tokens', countText(tokens)],
    details.flag('cached', 'isCached') ? ['From the cache', 'Yes'] : undefined,
    threadId === undefined ? undefined : ['Thread', html`<span class="mono">${threadId}</span>`],
    ['Id', html`<span class="mono">${id}</span>`],
  ])
}

function helpfulOf(feedback: LooseReply): string | undefined {
  const isHelpful = feedback.flag('helpful', 'isHelpful')
  if (isHelpful === undefined) return undefined
  return isHelpful ? 'helpful' : 'unhelpful'
}

export async function showDeleteConversation(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const { conversation } = await readConversation(screen, id)
  const { path, options, project, now } = screen
  return confirmPage(screen, {
    section: 'conversations',
    title: 'Delete this conversation?',
    text: 'The question, the answer, the sources and the reader’s note are deleted. It cannot be undone. Copies that were exported before stay where they are.',
    facts: [
      ['Question', shorten(conversation.query)],
      ['Asked', timeTag(conversation.timestamp, now)],
      ['Sources', String(conversation.sources.length)],
    ],
    action: path(`conversations/${id}/delete`),
    button: 'Delete the conversation',
    isDanger: true,
    back: { href: path(`conversations/${id}`), label: 'Conversation' },
    keep: 'Keep it',
    problem,
    same: [
      curlCommand({
        url: options.url,
        method: 'DELETE',
        path: apiPaths.exported(project.id, `/${id}`),
      }),
    ],
  })
}

export async function deleteConversation(screen: ProjectScreen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, ANY_REPLY, {
    method: 'DELETE',
    path: apiPaths.exported(screen.project.id, `/${encodeURIComponent(id)}`),
  })
  if (!sent.ok) return showDeleteConversation(screen, id, sent.problem.detail)
  return redirect(screen.path('conversations'))
}
