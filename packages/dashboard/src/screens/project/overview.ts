/** `/projects/:id`: the overview with the live deployment and recent questions. */
import { Deployment, DeploymentDiff, DeploymentList, type Gap, Overview } from '@octavo/contract'
import { card, cardHead, emptyState, pageHead } from '../../parts/card.ts'
import { chartLegend, type DayChart, dayChart, dayTable, rankList } from '../../parts/chart.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { countOf, countText, percentText } from '../../parts/number.ts'
import { rangeForm, readRange } from '../../parts/range.ts'
import { statisticsCard } from '../../parts/statistics.ts'
import { changeOf, signed } from '../../parts/trend.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { findApi, readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { readDays, viewStatistics } from '../analytics/days.ts'
import { deploymentTable } from '../deployments/rows.ts'
import { gapRanks, readOpenGaps } from '../gaps/ranks.ts'
import { attentionCard } from './attention.ts'
import { showEmptyProject } from './empty.ts'
import { failedBuildNotice, liveCard } from './live-card.ts'

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
  if (deployments.length === 0) return showEmptyProject(screen, overview.failedBuild)
  const live = await readLive(screen, overview)
  const body = html`
    ${pageHead({ title: 'Overview', actions: rangeForm(days) })}
    ${failedBuildNotice(screen, overview.failedBuild)}
    ${liveCard(screen, live)}
    ${views && viewStatistics(views)}
    ${statistics(overview, days)}
    ${questionsCard(screen, overview, days)}
    <div class="grid two">
      ${attentionCard(screen, overview)}
      ${topGaps(screen, { gaps, open: overview.openGaps })}
    </div>
    ${topQuestions(screen, overview, days)}
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

/** Reads the live deployment, and the pages that it changed. */
async function readLive({ visit, project, site }: ProjectScreen, { previous }: Overview) {
  if (site.live === null) return { live: undefined, previous, diff: undefined }
  const one = `/deployments/${site.live}`
  const [live, diff] = await Promise.all([
    readApi(visit.api, Deployment, apiPaths.project(project.id, one)),
    previous === null
      ? undefined
      : findApi(
          visit.api,
          DeploymentDiff,
          apiPaths.project(project.id, `${one}/diff`, { base: previous.id }),
        ),
  ])
  return { live, previous, diff }
}

function statistics(
  { questions, answered, before, helpful, tokens, openGaps }: Overview,
  days: number,
): Html {
  const votes = helpful.yes + helpful.no
  const votesOf = (all: { readonly questions: number; readonly answered: number }) => ({
    yes: all.answered,
    no: all.questions - all.answered,
  })
  return statisticsCard([
    [`Questions, last ${days} days`, countText(questions), changeOf(questions, before.questions)],
    [
      'Answered',
      percentText(answered, questions),
      pointsOf(votesOf({ questions, answered }), votesOf(before)),
    ],
    [
      votes === 0 ? 'Helpful answers' : `Helpful answers (${countOf(votes, 'vote')})`,
      votes === 0 ? '–' : percentText(helpful.yes, votes),
      pointsOf(helpful, before.helpful),
    ],
    ['Open gaps today', countText(openGaps), undefined],
    [
      'Tokens this month',
      countText(tokens.month),
      tokens.monthMax !== null && html`<span class="delta">of ${countText(tokens.monthMax)}</span>`,
    ],
  ])
}

type Votes = Overview['helpful']

/** Returns the change of a share, in points; undefined if one of the periods has no votes. */
function pointsOf(now: Votes, before: Votes): HtmlPart {
  const share = ({ yes, no }: Votes) => (yes / (yes + no)) * 100
  const points = share(now) - share(before)
  if (Number.isNaN(points)) return undefined
  return html`<span class="delta ${points >= 0 ? 'good' : 'poor'}">${signed(points.toFixed(1))} pts</span> `
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
          'No questions yet',
          'When the assistant is on, every question from a reader is counted here, answered or not.',
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

function topQuestions(
  screen: ProjectScreen,
  { topQuestions: questions }: Overview,
  days: number,
): Html {
  const isReader = screen.may('analytics:read')
  const ranks = questions.map(({ question, count }) => ({
    label: question,
    count,
    href: screen.path(`conversations?text=${encodeURIComponent(question.slice(0, 200))}`),
  }))
  return card({
    title: `Top questions, last ${days} days`,
    aside: isReader && html`<a class="link" href="${screen.path('conversations')}">All</a>`,
    isFlush: true,
    body:
      ranks.length === 0
        ? emptyState('No questions', 'The questions that readers ask most appear here.')
        : rankList(ranks),
  })
}

/** Renders the open gaps. Their counts include all their questions, not only those of the period. */
function topGaps(
  screen: ProjectScreen,
  { gaps, open }: { readonly gaps: readonly Gap[]; readonly open: number },
): Html {
  const ranks = gapRanks(screen, gaps, GAPS_SHOWN)
  return card({
    title: 'Open gaps, all time',
    aside: html`<a class="link" href="${screen.path('gaps')}">All${open > 0 && ` ${countText(open)}`}</a>`,
    isFlush: true,
    body:
      ranks.length === 0
        ? emptyState('No open gap', 'Questions that your pages do not answer appear here.')
        : rankList(ranks),
  })
}
