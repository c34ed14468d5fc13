/** The cards with counts of votes: in total, and by page with the least helpful page first. */
import { FeedbackSummary, PageFeedbackList } from '@octavo/contract'
import { card, emptyState } from '../../parts/card.ts'
import { downloadCsv } from '../../parts/csv-download.ts'
import { type Html, html } from '../../parts/html.ts'
import { pageLink } from '../../parts/link.ts'
import { splitBar } from '../../parts/meter.ts'
import { countOf, countText, percentText } from '../../parts/number.ts'
import { firstDay } from '../../parts/range.ts'
import { statisticsCard } from '../../parts/statistics.ts'
import { changeOf, pointsOf } from '../../parts/trend.ts'
import { apiPaths, type Query } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

const DAYS = 30
const PAGES_SHOWN = 8
/** The minimum number of votes to list a page, since fewer say little about it. */
const VOTES_MIN = 10

export async function totalsCard(screen: ProjectScreen): Promise<Html | undefined> {
  const { visit, project, now } = screen
  const path = apiPaths.analytics(project.id, '/feedback/summary', {
    dateFrom: firstDay(DAYS, now),
  })
  const { before, ...totals } = await readApi(visit.api, FeedbackSummary, path)
  const { votes, helpful, comments } = totals
  if (votes + comments + before.votes + before.comments === 0) return undefined
  const share = (of: typeof totals) => (of.votes === 0 ? undefined : of.helpful / of.votes)
  return statisticsCard([
    [
      'Pages found helpful',
      percentText(helpful, votes),
      pointsOf(share(totals), share(before), 'more'),
    ],
    ['Votes in 30 days', countText(votes), changeOf(votes, before.votes)],
    ['Comments in 30 days', countText(comments), changeOf(comments, before.comments)],
  ])
}

export const votesPath = (
  { project, now }: ProjectScreen,
  query: Query = { minVotes: VOTES_MIN, limit: PAGES_SHOWN },
): string =>
  apiPaths.analytics(project.id, '/feedback/by-page', {
    dateFrom: firstDay(VOTES_DAYS, now),
    sort: 'least-helpful',
    ...query,
  })
/** Only recent votes count, so that a corrected page leaves the list. */
const VOTES_DAYS = 90

export async function votesCard(screen: ProjectScreen): Promise<Html> {
  const { feedback } = await readApi(screen.visit.api, PageFeedbackList, votesPath(screen))
  const pages = feedback.map(({ path, thumbsUp, thumbsDown, comments }) => {
    const votes = thumbsUp + thumbsDown
    const share = `${Math.round((thumbsUp / votes) * 100)}%`
    return html`
      <li>
        <div class="top-line">${pageLink(path, screen.site.url, 'mono cut')}<b>${share}</b></div>
        ${splitBar(`${share} of the votes rate ${path} as helpful`, [thumbsUp, thumbsDown])}
        <div class="sub"><span>${countOf(votes, 'vote')}</span><span>${countOf(comments, 'comment')}</span></div>
      </li>
    `
  })
  return card({
    title: 'Votes by page',
    aside: pages.length > 0 && 'Least helpful first',
    isFlush: true,
    body:
      pages.length === 0
        ? emptyState('No pages yet', `Pages with ${VOTES_MIN} votes or more appear here.`)
        : html`<ul class="page-votes">${pages}</ul>`,
    foot: html`
      <span>Pages with ${VOTES_MIN} votes or more in ${VOTES_DAYS} days</span>
      <a class="link end" href="${screen.path('feedback/votes.csv')}" download>All votes as CSV</a>
    `,
  })
}

/** Downloads the votes of all pages, also of those with few votes. */
export function exportVotes(screen: ProjectScreen): Promise<Response> {
  return downloadCsv(
    async (cursor) => {
      const path = votesPath(screen, { limit: PAGES_PER_READ, cursor })
      const { feedback, nextCursor } = await readApi(screen.visit.api, PageFeedbackList, path)
      return { entries: feedback, nextCursor }
    },
    { name: 'votes', now: screen.now },
  )
}
const PAGES_PER_READ = 100
