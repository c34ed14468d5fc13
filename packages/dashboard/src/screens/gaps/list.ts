/** `/projects/:id/gaps`: questions that the pages do not answer yet. */
import { GAP_STATES, Gap, GapList } from '@octavo/contract'
import { emptyState, factList, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postButton, postForm } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { webLink } from '../../parts/link.ts'
import { problemNotice } from '../../parts/notice.ts'
import { countText } from '../../parts/number.ts'
import { gapState, stateTag } from '../../parts/state.ts'
import { pager } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { type FormProblem, readApi, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'

const TABS: readonly { readonly state: Gap['state'] | ''; readonly label: string }[] = [
  { state: '', label: 'All' },
  { state: 'open', label: 'Open' },
  { state: 'linked', label: 'Page linked' },
  { state: 'likely', label: 'Likely closed' },
  { state: 'verified', label: 'Verified' },
  { state: 'dismissed', label: 'Not a gap' },
]

type Attempt = {
  readonly gapId: string
  readonly isLink: boolean
  readonly page: string
  readonly problem: FormProblem
}

export async function showGaps(screen: ProjectScreen, attempt?: Attempt): Promise<Response> {
  const { visit, project, url, options, path } = screen
  const state = GAP_STATES.find((one) => one === url.searchParams.get('state'))
  const listPath = apiPaths.project(project.id, '/gaps', {
    state,
    cursor: url.searchParams.get('cursor') ?? undefined,
  })
  const { gaps, nextCursor } = await readApi(visit.api, GapList, listPath)
  const tabs = TABS.map(
    (tab) =>
      html`
        <a href="${path(tab.state === '' ? 'gaps' : `gaps?state=${tab.state}`)}"
          ${tab.state === (state ?? '') && html` aria-current="page"`}>
          ${tab.label}
        </a>
      `,
  )
  const isBeside =
    attempt?.isLink === true && gaps.some((gap) => gap.id === attempt.gapId && !isClosed(gap))
  const cards = gaps.map((gap) =>
    gapCard(screen, gap, isBeside && attempt?.gapId === gap.id ? attempt : undefined),
  )
  const command = `octavo gaps${state === undefined ? '' : ` --state ${state}`} --service ${options.url} --project ${project.id}`
  return projectPage(screen, {
    section: 'gaps',
    title: 'Gaps',
    status: attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Gaps',
        lead: 'Questions that your pages do not answer, put together by meaning. Write a page, deploy it, and we ask again.',
      })}
      <nav class="tabs" aria-label="States">${tabs}</nav>
      ${!isBeside && problemNotice(attempt?.problem.detail)}
      ${gaps.length === 0 ? html`<div class="card">${nothing(state)}</div>` : cards}
      ${pager(url, { nextCursor })}
      ${equivalentCommands(curlCommand({ url: options.url, path: listPath }), command)}
    `,
  })
}

function nothing(state: Gap['state'] | undefined): Html {
  if (state !== undefined)
    return emptyState('No gap in this state', 'Look at all of them, or at another state.')
  return emptyState(
    'No gaps',
    'A gap begins when the assistant cannot answer a question. Similar questions come together, and the most asked ones tell you what to write next.',
  )
}

export async function changeGap(
  screen: ProjectScreen,
  gapId: string,
  form: Form,
): Promise<Response> {
  const action = formValue(form, 'action')
  const page = formValue(form, 'page')
  const sent = await sendApi(screen.visit.api, Gap, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, `/gaps/${encodeURIComponent(gapId)}`),
    body: action === 'link' ? { action, page } : { action },
  })
  if (!sent.ok)
    return showGaps(screen, { gapId, isLink: action === 'link', page, problem: sent.problem })
  const state = GAP_STATES.find((one) => one === formValue(form, 'state'))
  return redirect(screen.path(`gaps${state === undefined ? '' : `?state=${state}`}#${gapId}`))
}

function gapCard(screen: ProjectScreen, gap: Gap, attempt: Attempt | undefined): Html {
  const { now, may } = screen
  const [first, ...rest] = gap.examples
  const title = first ?? 'Its questions were deleted'
  const more = rest.map((text) => html`<li><q>${text}</q></li>`)
  return html`
    <article class="card gap" id="${gap.id}" aria-label="${title}">
      <div>
        <div class="gap-state">
          ${stateTag(gapState(gap), true)}
          <span class="hint">${story(gap, now)}</span>
        </div>
        <h2>${title}</h2>
        ${more.length > 0 && html`<ul class="examples">${more}</ul>`}
      </div>
      <div>
        <div class="gap-count">
          <b>${countText(gap.count)}</b> <span>${gap.count === 1 ? 'question' : 'questions'}</span>
        </div>
        ${facts(screen, gap)}
        ${may('gaps:write') && actions(screen, gap, attempt)}
      </div>
    </article>
  `
}

const isClosed = ({ state }: Gap) => state === 'verified' || state === 'dismissed'

function story({ state, firstAskedAt, changedAt, verifiedBy }: Gap, now: number): HtmlPart {
  switch (state) {
    case 'open':
      return html`first asked ${timeTag(firstAskedAt, now)}`
    case 'linked':
      return html`a page was named ${timeTag(changedAt, now)}`
    case 'likely':
      return html`a section seems to answer it since ${timeTag(changedAt, now)}`
    case 'verified':
      return html`by ${verifiedBy === 'model' ? 'the model' : 'you'}, ${timeTag(changedAt, now)}`
    case 'dismissed':
      return html`dismissed ${timeTag(changedAt, now)}`
  }
}

function facts({ site, path, now, may }: ProjectScreen, gap: Gap): Html {
  const link = (address: string, label = address) => webLink(address, label, { base: site.url })
  const deployment = (id: string) =>
    may('deploy:read')
      ? html`<a class="mono" href="${path(`deployments/${id}`)}">…${id.slice(-8)}</a>`
      : `…${id.slice(-8)}`
  return factList([
    gap.linkedPage === undefined ? undefined : ['Linked page', link(gap.linkedPage)],
    gap.section === undefined ? undefined : ['Answered by', link(gap.section)],
    gap.nearest.length === 0
      ? undefined
      : [
          'Closest pages',
          gap.nearest
            .slice(0, 2)
            .map(({ title, url }) => html`<div>${link(url, title || url)}</div>`),
        ],
    gap.closedIn === undefined ? undefined : ['Closed in', deployment(gap.closedIn)],
    ['Last asked', timeTag(gap.lastAskedAt, now)],
  ])
}

function actions(screen: ProjectScreen, gap: Gap, attempt: Attempt | undefined): Html {
  const { visit, path, url } = screen
  const state = url.searchParams.get('state') ?? undefined
  const button = (action: string, label: HtmlPart, look: string) =>
    postButton({
      action: path(`gaps/${gap.id}`),
      token: visit.formToken,
      fields: { action, state },
      label,
      look: `small ${look}`,
    })
  const error = attempt?.problem.detail
  const id = `page-${gap.id}`
  const form = postForm({
    action: path(`gaps/${gap.id}`),
    token: visit.formToken,
    fields: { action: 'link', state },
    className: 'link-form',
    body: html`
      <label class="sr-only" for="${id}">Page that answers it</label>
      <input id="${id}" name="page" placeholder="/guides/start"
        value="${attempt?.page ?? gap.linkedPage ?? ''}" required autocomplete="off"
        ${error !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`}>
      <button class="button small">Link</button>
      ${
        error !== undefined &&
        html`<p class="error" id="${id}-error">${icon('alert-circle')}<span>${error}</span></p>`
      }
    `,
  })
  if (isClosed(gap)) return html`<div class="actions">${button('reopen', 'Open again', '')}</div>`
  return html`
    <div class="actions">
      <details class="link-page"${error !== undefined && html` open`}>
        <summary class="button small">${icon('link')}Link a page…</summary>
        ${form}
      </details>
      ${button('verify', html`${icon('check')}Verify`, '')}
      ${gap.state === 'likely' && button('reopen', 'Not closed', 'quiet')}
      ${button('dismiss', 'Not a gap', 'quiet')}
    </div>
  `
}
