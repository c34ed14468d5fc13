/** `/projects/:id`: the live deployment and recent questions. */
import { type Deployment, DeploymentList, type Gap, Overview } from '@octavo/contract'
import { branchTag, card, cardHead, commitTag, emptyState, pageHead } from '../../parts/card.ts'
import { chartLegend, type DayChart, dayChart, dayTable, rankList } from '../../parts/chart.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { hostOf, siteButton, webLink } from '../../parts/link.ts'
import { countOf, countText, percentText } from '../../parts/number.ts'
import { rangeForm, readRange } from '../../parts/range.ts'
import { deploymentState, stateTag } from '../../parts/state.ts'
import { statisticsCard } from '../../parts/statistics.ts'
import { timeTag } from '../../parts/time.ts'
import { changeOf, signed } from '../../parts/trend.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { readDays, viewStatistics } from '../analytics/days.ts'
import { deploymentName, deploymentTable } from '../deployments/rows.ts'
import { gapRanks, readOpenGaps } from '../gaps/ranks.ts'
import { showEmptyProject } from './empty.ts'

const GAPS_SHOWN = 6

export async function showOverview(screen: ProjectScreen): Promise<Response> {
  const { visit, project, url, options } = screen
  const days = readRange(url)
  const overviewPath = apiPaths.project(project.id, '/overview', { days })
  const [{ deployments }, overview, gaps, views] = await Promise.all([
    readApi(visit.api, DeploymentList, apiPaths.project(project.id, '/deployments', { limit: 5 })),
    readApi(visit.api, Overview, overviewPath),
    readOpenGaps(screen),
    screen.may('views:read') ? readDays(screen, days) : undefined,
  ])
  if (deployments.length === 0) return showEmptyProject(screen)
  const body = html`
    ${pageHead({ title: 'Overview', actions: rangeForm(days) })}
    ${liveCard(screen, deployments)}
    ${views && viewStatistics(views)}
    ${statistics(overview)}
    ${questionsCard(screen, overview, days)}
    <div class="grid two">
      ${topQuestions(screen, overview)}
      ${topGaps(screen, { gaps, open: overview.openGaps })}
    </div>
    ${card({
      title: 'Recent deployments',
      aside: html`<a class="link" href="${screen.path('deployments')}">All</a>`,
      isFlush: true,
      body: deploymentTable(screen, deployments),
    })}
    ${equivalentCommands(
      curlCommand({ url: options.url, path: overviewPath }),
      `octavo deployments --service ${options.url} --project ${project.id}`,
    )}
  `
  return projectPage(screen, { section: 'overview', title: 'Overview', body })
}

function liveCard(screen: ProjectScreen, deployments: readonly Deployment[]): Html {
  const { site, path, now, may } = screen
  const live = deployments.find(({ id }) => id === site.live)
  const host = site.url && webLink(site.url, hostOf(site.url))
  const locked =
    site.lockReason !== null &&
    html`<span class="state is-held">${icon('lock')}Publishing is locked</span>`
  if (site.live === null)
    return html`
      <section class="card" aria-label="Live deployment">
        <div class="live">
          <div>
            <div class="where">
              ${stateTag({ word: 'Nothing is live', tone: 'off', sign: 'ring' }, true)}
              ${host}
            </div>
            <p class="hint">A finished deployment waits for you. Publish one of those below.</p>
          </div>
        </div>
        ${locked && html`<div class="card-foot">${locked}</div>`}
      </section>
    `
  const details = path(`deployments/${site.live}`)
  const about =
    live &&
    html`
      <h2><a href="${details}">${deploymentName(live)}</a></h2>
      <div class="sub">
        ${commitTag(live.commit)}
        ${branchTag(live.branch)}
        <span>#${live.number}</span>
        ${live.publishedAt && html`<span>published ${timeTag(live.publishedAt, now)}</span>`}
      </div>
    `
  const rollBack =
    may('deploy:write') &&
    html`<a class="button" href="${path('deployments')}">${icon('undo')}Roll back…</a>`
  return html`
    <section class="card" aria-label="Live deployment">
      <div class="live">
        <div>
          <div class="where">
            ${stateTag(
              live ? deploymentState(live) : { word: 'Live', tone: 'good', sign: 'check-circle' },
              true,
            )}
            ${host}
          </div>
          ${about ?? html`<h2><a href="${details}">The live deployment</a></h2>`}
        </div>
        <div class="actions">${siteButton(site.url, 'View site')}${rollBack}</div>
      </div>
      <div class="card-foot">
        ${live?.files !== undefined && html`<span>${countOf(live.files, 'file')}</span>`}
        ${locked}
        <a class="link end" href="${details}">Details</a>
      </div>
    </section>
  `
}

function statistics({ questions, answered, before, helpful, tokens, openGaps }: Overview): Html {
  const votes = helpful.yes + helpful.no
  const share = questions === 0 ? 0 : (answered / questions) * 100
  const shareBefore =
    before.questions === 0 ? undefined : (before.answered / before.questions) * 100
  const points = shareBefore === undefined ? undefined : share - shareBefore
  return statisticsCard([
    ['Questions', countText(questions), changeOf(questions, before.questions)],
    [
      'Answered',
      percentText(answered, questions),
      points !== undefined &&
        questions > 0 &&
        html`<span class="delta ${points >= 0 ? 'good' : 'poor'}">${signed(points.toFixed(1))} points</span>`,
    ],
    [
      'Found helpful',
      votes === 0 ? '–' : percentText(helpful.yes, votes),
      html`<span class="delta">of ${countOf(votes, 'vote')}</span>`,
    ],
    ['Open gaps', countText(openGaps), undefined],
    [
      'Tokens this month',
      countText(tokens.month),
      tokens.monthMax !== null && html`<span class="delta">of ${countText(tokens.monthMax)}</span>`,
    ],
  ])
}

function questionsCard(screen: ProjectScreen, overview: Overview, days: number): Html {
  const chart: DayChart = {
    name: 'Questions',
    series: [
      { label: 'Answered', look: 'answered' },
      { label: 'Unanswered', look: 'unanswered' },
    ],
    days: overview.days.map(({ day, answered, unanswered, deployments }) => ({
      day,
      counts: [answered, unanswered],
      deployments,
    })),
  }
  const body =
    overview.questions === 0
      ? emptyState(
          'Nobody has asked yet',
          'When the assistant is on, each question of a reader counts here, answered or not.',
          screen.may('project:write') &&
            html`<a class="button" href="${screen.path('assistant')}">Assistant settings</a>`,
        )
      : dayChart(chart, 'questions')
  return html`
    <section class="card">
      ${cardHead(html`<span id="questions">Questions, last ${days} days</span>`, chartLegend(chart))}
      ${body}
      <div class="card-foot">
        ${dayTable(chart)}
        ${
          screen.may('analytics:read') &&
          html`<a class="link end" href="${screen.path('conversations')}">All conversations</a>`
        }
      </div>
    </section>
  `
}

function topQuestions(screen: ProjectScreen, { topQuestions: questions }: Overview): Html {
  const isReader = screen.may('analytics:read')
  const ranks = questions.map(({ question, count }) => ({
    label: question,
    count,
    href: screen.path(`conversations?text=${encodeURIComponent(question.slice(0, 200))}`),
  }))
  return card({
    title: 'Top questions',
    aside: isReader && html`<a class="link" href="${screen.path('conversations')}">All</a>`,
    isFlush: true,
    body:
      ranks.length === 0
        ? emptyState('No questions', 'The questions that readers ask most appear here.')
        : rankList(ranks),
  })
}

function topGaps(
  screen: ProjectScreen,
  { gaps, open }: { readonly gaps: readonly Gap[]; readonly open: number },
): Html {
  const ranks = gapRanks(screen, gaps, GAPS_SHOWN)
  return card({
    title: 'Open gaps',
    aside: html`<a class="link" href="${screen.path('gaps')}">All${open > 0 && ` ${countText(open)}`}</a>`,
    isFlush: true,
    body:
      ranks.length === 0
        ? emptyState('No open gap', 'Questions that your pages do not answer appear here.')
        : rankList(ranks),
  })
}
