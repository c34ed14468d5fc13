/** `/projects/:id/gaps/:id`: one gap with its questions, the closest pages, and what to do. */
import { Gap } from '@octavo/contract'
import { card, type Fact, factList, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { postForm } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { shortAddress, webLink } from '../../parts/link.ts'
import { problemNotice } from '../../parts/notice.ts'
import { countText } from '../../parts/number.ts'
import { gapState, stateTag } from '../../parts/state.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { type FormProblem, readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { ACTIONS } from './actions.ts'
import { changeToast } from './last-change.ts'

export async function showGap(
  screen: ProjectScreen,
  id: string,
  problem?: FormProblem,
): Promise<Response> {
  const { visit, project, path, options, now, may } = screen
  const gapPath = apiPaths.project(project.id, `/gaps/${encodeURIComponent(id)}`)
  const gap = await readApi(visit.api, Gap, gapPath)
  const [title = 'All questions deleted'] = gap.examples
  return projectPage(screen, {
    section: 'gaps',
    title,
    status: problem?.status ?? 200,
    body: html`
      ${pageHead({
        title,
        back: { href: path('gaps'), label: 'Gaps' },
        state: html`${stateTag(gapState(gap), true)} <span class="hint">${story(gap, now)}</span>`,
      })}
      ${problemNotice(problem?.detail)}
      <div class="grid with-side">
        <div class="stack">${questions(gap)}${closestPages(screen, gap)}</div>
        <div class="stack">
          ${card({ title: 'Details', body: factList(facts(screen, gap)) })}
          ${may('gaps:write') && actions(screen, gap)}
        </div>
      </div>
      ${await changeToast(screen, id)}
      ${equivalentCommands(
        curlCommand({ url: options.url, path: gapPath }),
        `octavo gaps dismiss ${id} --service ${options.url} --project ${project.id}`,
      )}
    `,
  })
}

function questions({ count, examples }: Gap): Html {
  const items = examples.map((text) => html`<li>${text}</li>`)
  return card({
    title: 'Questions',
    aside:
      count > examples.length ? `The newest ${examples.length} of ${countText(count)}` : undefined,
    isFlush: true,
    body: html`<ul class="gap-questions">${items}</ul>`,
  })
}

function closestPages({ site }: ProjectScreen, { nearest }: Gap): Html {
  const rows = nearest.map(
    ({ title, url }) =>
      html`
        <li>
          ${webLink(url, title || url, { base: site.url, className: 'main' })}
          <span class="mono muted">${shortAddress(url, site.url)}</span>
        </li>
      `,
  )
  return card({
    title: 'Closest pages',
    isFlush: true,
    body:
      rows.length === 0
        ? html`<p class="card-body muted">No similar page.</p>`
        : html`<ul class="gap-questions">${rows}</ul>`,
  })
}

function story({ state, firstAskedAt, changedAt, verifiedBy }: Gap, now: number): HtmlPart {
  switch (state) {
    case 'open':
      return html`First asked ${timeTag(firstAskedAt, now)}`
    case 'linked':
      return html`A page was linked ${timeTag(changedAt, now)}`
    case 'likely':
      return html`A section that probably answers the question was found ${timeTag(changedAt, now)}`
    case 'verified':
      return html`By ${verifiedBy === 'model' ? 'the model' : 'an owner'}, ${timeTag(changedAt, now)}`
    case 'dismissed':
      return html`Since ${timeTag(changedAt, now)}`
  }
}

function facts({ site, path, now, may }: ProjectScreen, gap: Gap): readonly (Fact | undefined)[] {
  const link = (address: string) => webLink(address, address, { base: site.url })
  const deployment = (id: string) =>
    may('deploy:read')
      ? html`<a class="link" href="${path(`deployments/${id}`)}">See the deployment</a>`
      : 'A deployment'
  return [
    ['Questions', countText(gap.count)],
    ['Last asked', timeTag(gap.lastAskedAt, now)],
    ['First asked', timeTag(gap.firstAskedAt, now)],
    gap.linkedPage === undefined ? undefined : ['Linked page', link(gap.linkedPage)],
    gap.section === undefined ? undefined : ['Answered by', link(gap.section)],
    gap.closedIn === undefined ? undefined : ['Closed in', deployment(gap.closedIn)],
  ]
}

function actions({ visit, path }: ProjectScreen, gap: Gap): Html {
  const buttons = ACTIONS.filter(({ fits }) => fits(gap)).map(
    ({ action, label, sign }) =>
      html`<button class="button" name="do" value="${action}">${icon(sign)}${label}</button>`,
  )
  return card({
    title: 'Actions',
    body: postForm({
      action: path('gaps/changes'),
      token: visit.formToken,
      fields: { gap: gap.id, from: gap.id },
      className: 'stack gap-actions',
      body: buttons,
    }),
  })
}
