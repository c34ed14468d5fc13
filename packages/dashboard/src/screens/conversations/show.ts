/** `/projects/:id/conversations/:id`: one question and its answer, with its details. */
import { type UNANSWERED_REASONS, WholeConversation } from '@octavo/contract'
import { card, factList, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { shortAddress, webLink } from '../../parts/link.ts'
import { notice } from '../../parts/notice.ts'
import { countText } from '../../parts/number.ts'
import { feedbackState, resolutionState, stateTag } from '../../parts/state.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

const TITLE_LENGTH_MAX = 140

const REASONS: Readonly<Record<(typeof UNANSWERED_REASONS)[number], string>> = {
  declared: 'The assistant said so itself.',
  'no-sources': 'No page was found for it.',
  'low-support': 'What was found did not support an answer.',
  stopped: 'The reader stopped it.',
  budget: 'The budget of the assistant was used up.',
  'provider-error': 'The model did not answer.',
  interrupted: 'The answer was interrupted.',
}

const conversationPath = ({ project }: ProjectScreen, id: string) =>
  apiPaths.project(project.id, `/conversations/${encodeURIComponent(id)}`)

const readConversation = (screen: ProjectScreen, id: string) =>
  readApi(screen.visit.api, WholeConversation, conversationPath(screen, id))

export async function showConversation(screen: ProjectScreen, id: string): Promise<Response> {
  const conversation = await readConversation(screen, id)
  const { options, path, may } = screen
  const title = shorten(conversation.query)
  const { note } = conversation.feedback ?? {}
  const facts = card({ title: 'Facts', body: factLines(screen, conversation) })
  const said =
    note !== undefined && card({ title: 'The reader’s note', body: html`<p>“${note}”</p>` })
  const end =
    may('analytics:write') &&
    card({
      title: 'Delete',
      body: html`
        <p class="hint">
          Removes the question, the answer, the sources and the reader’s note. It cannot be undone.
        </p>
        <p class="after">
          <a class="button danger" href="${path(`conversations/${id}/delete`)}">
            ${icon('trash')}Delete this conversation…
          </a>
        </p>
      `,
    })
  const body = html`
    ${pageHead({ title, back: { href: path('conversations'), label: 'Conversations' } })}
    <div class="grid with-side">
      <div class="stack">
        ${unanswered(screen, conversation)}
        ${spoken(screen, conversation)}
        ${nearest(screen, conversation)}
      </div>
      <div class="stack">${facts}${said}${end}</div>
    </div>
    ${equivalentCommands(curlCommand({ url: options.url, path: conversationPath(screen, id) }))}
  `
  return projectPage(screen, { section: 'conversations', title, body })
}

const shorten = (text: string) =>
  text.length > TITLE_LENGTH_MAX ? `${text.slice(0, TITLE_LENGTH_MAX).trimEnd()}…` : text

function unanswered(
  { path }: ProjectScreen,
  { resolutionStatus, reason, gap }: WholeConversation,
): HtmlPart {
  if (resolutionStatus === 'answered') return undefined
  const why = reason === undefined ? 'Your pages do not answer this question.' : REASONS[reason]
  return notice({
    tone: 'warning',
    sign: 'alert-circle',
    title: 'Unanswered.',
    text: html`${why} ${gap !== undefined && html`It belongs to <a href="${path(`gaps#${gap}`)}">a gap</a>.`}`,
  })
}

function spoken({ now, site }: ProjectScreen, conversation: WholeConversation): Html {
  const { query, response, sources, pageUrl, timestamp } = conversation
  const paragraphs = response
    .split(/\n{2,}/)
    .filter((text) => text.trim() !== '')
    .map((text) => html`<p>${text}</p>`)
  const list = sources.map(
    ({ title, url }, index) =>
      html`
        <li>
          <span class="cite">${index + 1}</span>
          ${webLink(url, title || url, { base: site.url })}
          <span class="mono muted">${shortAddress(url, site.url)}</span>
        </li>
      `,
  )
  return html`
    <section class="card">
      <div class="said">
        <header>
          ${icon('user')}
          <span>
            Reader
            ${pageUrl !== undefined && html`, on <code>${shortAddress(pageUrl, site.url)}</code>`}
            , ${timeTag(timestamp, now)}
          </span>
        </header>
        <p class="question">${query}</p>
      </div>
      <div class="said">
        <header>${icon('bot')}<span>Assistant</span></header>
        <div class="answer">
          ${paragraphs.length === 0 ? html`<p class="muted">No answer was given.</p>` : paragraphs}
        </div>
      </div>
      ${list.length > 0 && html`<div class="said"><h2>Sources</h2><ol class="sources">${list}</ol></div>`}
    </section>
  `
}

/**
 * Renders the nearest pages, which are only stored for unanswered questions; otherwise there are
 * sources.
 */
function nearest({ site }: ProjectScreen, { nearest: pages }: WholeConversation): HtmlPart {
  if (pages.length === 0) return undefined
  const rows = pages.map(
    ({ title, url }) =>
      html`
        <tr>
          <th scope="row">
            ${webLink(url, title || url, { base: site.url, className: 'main' })}
            <div class="sub">
              <span class="mono">${shortAddress(url, site.url)}</span>
            </div>
          </th>
        </tr>
      `,
  )
  return card({
    title: 'What was read',
    aside: 'Pages that came nearest, and were not enough',
    isFlush: true,
    body: html`
      <table>
        <caption class="sr-only">Pages that were read</caption>
        <thead class="sr-only"><tr><th scope="col">Page</th></tr></thead>
        <tbody>${rows}</tbody>
      </table>
    `,
  })
}

function factLines({ path }: ProjectScreen, conversation: WholeConversation): Html {
  const { id, resolutionStatus, queryCategory, threadId, deployment, model } = conversation
  const { usedTokens, cached, feedback } = conversation
  return factList([
    ['Status', stateTag(resolutionState(resolutionStatus))],
    feedback && ['Feedback', stateTag(feedbackState(feedback.helpful ? 'helpful' : 'unhelpful'))],
    feedback?.reason === undefined ? undefined : ['Because', feedback.reason],
    queryCategory === undefined ? undefined : ['Category', queryCategory],
    deployment === undefined
      ? undefined
      : [
          'Deployment',
          html`<a class="mono" href="${path(`deployments/${deployment}`)}">…${deployment.slice(-8)}</a>`,
        ],
    model === undefined ? undefined : ['Model', model],
    usedTokens === 0 ? undefined : ['Tokens', countText(usedTokens)],
    cached ? ['From the cache', 'Yes'] : undefined,
    threadId === undefined ? undefined : ['Thread', html`<span class="mono">${threadId}</span>`],
    ['Id', html`<span class="mono">${id}</span>`],
  ])
}

export async function showDeleteConversation(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const conversation = await readConversation(screen, id)
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
        path: apiPaths.analytics(project.id, `/assistant/${id}`),
      }),
    ],
  })
}

export async function deleteConversation(screen: ProjectScreen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: apiPaths.analytics(screen.project.id, `/assistant/${encodeURIComponent(id)}`),
  })
  if (!sent.ok) return showDeleteConversation(screen, id, sent.problem.detail)
  return redirect(screen.path('conversations'))
}
