/** The table of gaps. */
import type { Gap } from '@octavo/contract'
import { pickCell } from '../../parts/bulk.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { pageLink } from '../../parts/link.ts'
import { countText } from '../../parts/number.ts'
import { gapState, stateTag } from '../../parts/state.ts'
import { type Cell, type Row, type Sort, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { signed } from '../../parts/trend.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { ACTIONS } from './actions.ts'

const PAGES_SHOWN = 2
/** The number of recent weeks to compare with the same number of weeks before them. */
const RECENT_WEEKS = 4
const WEEK_MS = 7 * 86_400_000

type Order = {
  readonly sort: string | undefined
  readonly href: (sort: string) => string
}

export function gapTable(screen: ProjectScreen, gaps: readonly Gap[], order: Order): Html {
  const mayChange = screen.may('gaps:write')
  return table({
    caption: 'Gaps',
    className: 'gaps',
    columns: [
      ...(mayChange ? [{ label: 'Select', isHidden: true, className: 'pick' }] : []),
      { label: 'Gap' },
      { label: 'Questions', isEnd: true, sort: sortOf('questions', '-', order) },
      { label: '12 weeks', className: 'weeks' },
      { label: 'Closest pages' },
      { label: 'State', sort: sortOf('state', '', order) },
      {
        label: 'Last asked',
        isEnd: true,
        className: 'asked',
        sort: sortOf('lastAsked', '-', order),
      },
      ...(mayChange ? [{ label: 'Actions', isHidden: true }] : []),
    ],
    rows: gaps.map((gap) => gapRow(screen, gap, mayChange)),
  })
}

/**
 * Returns the link of a column heading. It leads to the column's first order or, once the rows are
 * in that order, to the reverse.
 */
function sortOf(name: string, first: '' | '-', { sort, href }: Order): Sort {
  const second = first === '-' ? '' : '-'
  const next = sort === `${first}${name}` ? second : first
  const isCurrent = sort?.replace('-', '') === name
  return {
    href: href(`${next}${name}`),
    direction: isCurrent ? (sort?.startsWith('-') ? 'descending' : 'ascending') : undefined,
  }
}

function gapRow(screen: ProjectScreen, gap: Gap, mayChange: boolean): Row {
  const { path, now } = screen
  const [title = 'All questions deleted', ...examples] = gap.examples
  const second = examples.find((example) => example !== title)
  const quote =
    second !== undefined && html`<div class="sub"><span class="cut">“${second}”</span></div>`
  return {
    cells: [
      ...(mayChange ? [pickCell('gap', gap.id, title)] : []),
      {
        isLead: true,
        content: html`<a class="main cut" href="${path(`gaps/${gap.id}`)}">${title}</a>${quote}`,
      },
      {
        content: html`<b>${countText(gap.count)}</b> ${trend(gap, now)}`,
        isEnd: true,
        label: 'Questions',
      },
      { content: weeksChart(gap), className: 'weeks wide-only' },
      { content: pages(screen, gap), className: 'near whole' },
      html`${stateTag(gapState(gap))}${stateHint(gap)}`,
      {
        content: timeTag(gap.lastAskedAt, now),
        isEnd: true,
        className: 'muted asked',
        label: 'Asked',
      },
      ...(mayChange ? [actionMenu(screen, gap, title)] : []),
    ],
  }
}

function trend({ weeks, firstAskedAt }: Gap, now: number): HtmlPart {
  if (weeks === undefined) return undefined
  if (Date.parse(firstAskedAt) > now - RECENT_WEEKS * WEEK_MS)
    return html`<span class="delta poor">new</span>`
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const change =
    sum(weeks.slice(-RECENT_WEEKS)) - sum(weeks.slice(-2 * RECENT_WEEKS, -RECENT_WEEKS))
  if (change === 0) return html`<span class="delta"></span>`
  return html`<span class="delta ${change > 0 ? 'poor' : 'good'}">${signed(String(change))}</span>`
}

const CHART = { width: 96, height: 24, bar: 6, step: 8 }

function weeksChart({ weeks = [] }: Gap): Html {
  const most = Math.max(1, ...weeks)
  const bars = weeks.map((count, index) => {
    const height = Math.max(1, Math.round((count / most) * CHART.height))
    const isRecent = count > 0 && index >= weeks.length - RECENT_WEEKS
    return html`
      <rect${isRecent && html` class="recent"`} x="${index * CHART.step}" y="${CHART.height - height}"
        width="${CHART.bar}" height="${height}"/>
    `
  })
  const label = `Questions by week: ${weeks.join(', ')}`
  return html`
    <svg class="weeks-chart" viewBox="0 0 ${CHART.width} ${CHART.height}" role="img" aria-label="${label}">
      ${bars}
    </svg>
  `
}

/** Renders the page that answers the gap or is linked to it, or else the closest pages. */
function pages({ site }: ProjectScreen, { section, linkedPage, nearest }: Gap): Html {
  const known = [section ?? linkedPage].filter((page) => page !== undefined)
  const shown = known.length > 0 ? known : nearest.slice(0, PAGES_SHOWN).map(({ url }) => url)
  if (shown.length === 0) return html`<span class="muted">No similar page</span>`
  const links = shown.map(
    (page) => html`<div class="cut">${pageLink(shortPage(page, site.url), site.url, 'mono')}</div>`,
  )
  return html`${links}`
}

/** Returns only the path for a page of the site, since its whole address would not fit. */
function shortPage(address: string, site: string | undefined): string {
  const url = URL.parse(address, site)
  return url === null || url.origin !== URL.parse(site ?? '')?.origin ? address : url.pathname
}

function stateHint({ state, verifiedBy }: Gap): HtmlPart {
  if (state === 'likely') return html`<div class="sub">A section answers the question</div>`
  if (state !== 'verified') return undefined
  return html`<div class="sub">${verifiedBy === 'model' ? 'By the model' : 'By an owner'}</div>`
}

/**
 * Renders the menu of a row. Its buttons belong to the form around the table, but apply only to
 * this gap.
 */
function actionMenu(screen: ProjectScreen, gap: Gap, title: string): Cell {
  const items = ACTIONS.filter(({ fits }) => fits(gap)).map(
    ({ action, label }) =>
      html`<li><button name="only" value="${action}.${gap.id}">${label}</button></li>`,
  )
  const content = html`
    <details class="menu end more">
      <summary aria-label="Actions for ${title}">${icon('more')}</summary>
      <ul>
        <li><a href="${screen.path(`gaps/${gap.id}`)}">See the questions</a></li>
        <li class="line" aria-hidden="true"></li>
        ${items}
      </ul>
    </details>
  `
  return { content, className: 'menu-cell' }
}
