/** `/projects/:id/conversations/:id`: one question and its answer, with its details. */
import { Gap, type UNANSWERED_REASONS, WholeConversation } from '@octavo/contract'
import { answerText } from '../../parts/answer.ts'
import { card, factList, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { deploymentLink } from '../../parts/deployment-link.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { shortAddress, webLink } from '../../parts/link.ts'
import { notice } from '../../parts/notice.ts'
import { countOf, countText } from '../../parts/number.ts'
import { feedbackState, GOOD, resolutionState, stateTag } from '../../parts/state.ts'
import { table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { toast } from '../../parts/toast.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { type FormProblem, findApi, readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { gapCard } from './gap.ts'

const TITLE_LENGTH_MAX = 140

const REASONS: Readonly<Record<(typeof UNANSWERED_REASONS)[number], string>> = {
  declared: 'The assistant said that it does not know the answer.',
  'no-sources': 'No page was found for the question.',
  'low-support': 'The passages that were found do not support an answer.',
  stopped: 'The reader stopped the answer.',
  budget: 'The budget of the assistant was used up.',
  'provider-error': 'The model did not answer.',
  interrupted: 'The answer was interrupted.',
}

const conversationPath = ({ project }: ProjectScreen, id: string) =>
  apiPaths.project(project.id, `/conversations/${encodeURIComponent(id)}`)

export const readConversation = (screen: ProjectScreen, id: string) =>
  readApi(screen.visit.api, WholeConversation, conversationPath(screen, id))

export async function showConversation(
  screen: ProjectScreen,
  id: string,
  problem?: FormProblem,
): Promise<Response> {
  const conversation = await readConversation(screen, id)
  const { options, path, may, url } = screen
  const gap = await readGap(screen, conversation)
  const title = shorten(conversation.query)
  const { note } = conversation.feedback ?? {}
  const facts = card({ title: 'Details', body: await factLines(screen, conversation) })
  const said =
    note !== undefined && card({ title: 'The reader’s note', body: html`<p>“${note}”</p>` })
  const body = html`
    ${pageHead({ title, back: { href: path('conversations'), label: 'Conversations' } })}
    <div class="grid with-side">
      <div class="stack">
        ${unanswered(screen, conversation, gap)}
        ${spoken(screen, conversation)}
        ${retrieved(screen, conversation)}
      </div>
      <div class="stack">
        ${facts}
        ${said}
        ${gapCard(screen, { conversation, gap, problem })}
        ${may('analytics:write') && deleteCard(screen, id)}
      </div>
    </div>
    ${url.searchParams.has('added') && gap && toast({ text: 'The question was added to a gap.' })}
    ${equivalentCommands(curlCommand({ url: options.url, path: conversationPath(screen, id) }))}
  `
  const status = problem?.status ?? 200
  return projectPage(screen, { section: 'conversations', title, body, status })
}

const readGap = async ({ visit, project }: ProjectScreen, { gap }: WholeConversation) =>
  gap === undefined
    ? undefined
    : findApi(visit.api, Gap, apiPaths.project(project.id, `/gaps/${encodeURIComponent(gap)}`))

export const shorten = (text: string) =>
  text.length > TITLE_LENGTH_MAX ? `${text.slice(0, TITLE_LENGTH_MAX).trimEnd()}…` : text

function deleteCard({ path }: ProjectScreen, id: string): Html {
  return card({
    title: 'Delete',
    body: html`
      <p class="hint">
        Removes the question, the answer, the sources and the reader’s note. This cannot be undone.
      </p>
      <p class="after">
        <a class="button danger" href="${path(`conversations/${id}/delete`)}">
          ${icon('trash')}Delete this conversation…
        </a>
      </p>
    `,
  })
}

function unanswered(
  { path }: ProjectScreen,
  { resolutionStatus, reason }: WholeConversation,
  gap: Gap | undefined,
): HtmlPart {
  if (resolutionStatus === 'answered') return undefined
  const why = reason === undefined ? 'Your pages do not answer this question.' : REASONS[reason]
  const [name] = gap?.examples ?? []
  const link =
    gap &&
    html`<a href="${path(`gaps/${gap.id}`)}">${name === undefined ? 'a gap' : shorten(name)}</a>`
  const count = gap && (gap.count === 1 ? 'the only question' : `one of ${countText(gap.count)}`)
  return notice({
    tone: 'warning',
    sign: 'alert-circle',
    title: 'Unanswered.',
    text: html`${why}${gap && html` It is ${count} in the gap ${link}.`}`,
  })
}

function spoken({ now, site }: ProjectScreen, conversation: WholeConversation): Html {
  const { query, sources, pageUrl, timestamp } = conversation
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
  const page = pageUrl !== undefined && html`, on <code>${shortAddress(pageUrl, site.url)}</code>`
  return html`
    <section class="card">
      <div class="said">
        <header>${icon('user')}<span>Reader${page}, ${timeTag(timestamp, now)}</span></header>
        <p class="question">${query}</p>
      </div>
      <div class="said">
        <header>${icon('bot')}<span>Assistant</span></header>
        ${answerText(conversation, site.url)}
      </div>
      ${list.length > 0 && html`<div class="said"><h2>Sources</h2><ol class="sources">${list}</ol></div>`}
    </section>
  `
}

/** Renders the pages that the answer cites or, without an answer, those that came closest. */
function retrieved({ site }: ProjectScreen, { sources, nearest }: WholeConversation): HtmlPart {
  const cited = sources.map(({ url }) => url)
  const read = nearest.filter(({ url }) => !cited.includes(url))
  const pages = [
    ...sources.map((page) => ({ ...page, use: stateTag(GOOD('Cited')) })),
    ...read.map((page) => ({ ...page, use: 'Read' })),
  ]
  if (pages.length === 0) return undefined
  return card({
    title: 'Retrieved pages',
    aside: countOf(pages.length, 'page'),
    isFlush: true,
    body: table({
      caption: 'Pages that the search retrieved',
      columns: [{ label: 'Page' }, { label: 'Used', isEnd: true }],
      rows: pages.map(({ title, url, use }) => ({
        cells: [
          {
            isLead: true,
            content: html`
              ${webLink(url, title || url, { base: site.url, className: 'main' })}
              <div class="sub"><span class="mono">${shortAddress(url, site.url)}</span></div>
            `,
          },
          { content: use, isEnd: true },
        ],
      })),
    }),
  })
}

async function factLines(screen: ProjectScreen, conversation: WholeConversation): Promise<Html> {
  const { id, resolutionStatus, queryCategory, threadId, deployment, model } = conversation
  const { usedTokens, cached, feedback } = conversation
  const number = deployment === undefined ? undefined : await deploymentLink(screen, deployment)
  return factList([
    ['Status', stateTag(resolutionState(resolutionStatus))],
    feedback && ['Feedback', stateTag(feedbackState(feedback.helpful ? 'helpful' : 'unhelpful'))],
    feedback?.reason === undefined ? undefined : ['Reason', feedback.reason],
    queryCategory === undefined ? undefined : ['Category', queryCategory],
    number ? ['Deployment', number] : undefined,
    model === undefined ? undefined : ['Model', model],
    usedTokens === 0 ? undefined : ['Tokens', countText(usedTokens)],
    cached ? ['From the cache', 'Yes'] : undefined,
    threadId === undefined ? undefined : ['Thread', html`<span class="mono">${threadId}</span>`],
    ['ID', html`<span class="mono">${id}</span>`],
  ])
}
