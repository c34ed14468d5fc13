/** `/projects/:id/usage`: this month until now, its pace, and what each project has of it. */
import { OrganizationUsage, ROLE_SCOPES, UsageReply } from '@octavo/contract'
import { card, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { meterBar, splitBar, splitSwatch } from '../../parts/meter.ts'
import { notice } from '../../parts/notice.ts'
import { bytesText, countOf, countText, percentText } from '../../parts/number.ts'
import { type Row, table } from '../../parts/table.ts'
import { shortDay } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

const NEARLY = 0.8
/** At the start of a month, a pace says nothing. */
const PACE_MS_MIN = 2 * 86_400_000
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })

export async function showUsage(screen: ProjectScreen): Promise<Response> {
  const { visit, project, options, organization, now } = screen
  const path = apiPaths.project(project.id, '/usage')
  const usage = await readApi(visit.api, UsageReply, path)
  const { role } = organization
  const shared =
    role !== null && ROLE_SCOPES[role].includes('deploy:read')
      ? await readApi(
          visit.api,
          OrganizationUsage,
          apiPaths.organization(organization.id, '/usage'),
        )
      : undefined
  const { from, to } = usage.month
  const today = shortDay(new Date(now).toISOString())
  const before = MONTH.format(Date.parse(from) - 1)
  return projectPage(screen, {
    section: 'usage',
    title: 'Usage',
    body: html`
      ${pageHead({
        title: 'Usage',
        lead: `${shortDay(from)} to ${today}, in UTC. Counters start again on ${shortDay(to)}.`,
      })}
      ${storageWarning(usage)}
      ${tokensWarning(screen, usage)}
      ${card({
        title: 'This month',
        aside: `Changes are against the same days of ${before}`,
        isFlush: true,
        body: html`<div class="quota">${cells(screen, usage)}</div>`,
      })}
      ${shared !== undefined && shared.projects.length > 1 && projectsCard(shared)}
      ${equivalentCommands(curlCommand({ url: options.url, path }), 'octavo-service usage')}
    `,
  })
}

function storageWarning({ storage: { bytes, bytesMax } }: UsageReply): HtmlPart {
  if (bytesMax === null || bytes < NEARLY * bytesMax) return undefined
  return notice({
    tone: 'warning',
    title: `${percentText(bytes, bytesMax)} of the storage is used.`,
    text: 'When it is full, new deployments are rejected. Unused deployments are deleted automatically; the operator can raise the limit.',
  })
}

function tokensWarning({ now, may, path }: ProjectScreen, usage: UsageReply): HtmlPart {
  const { tokensMax, toDate, month } = usage
  const expected = paceOf(toDate.tokens, month, now)
  if (tokensMax === null || Math.max(toDate.tokens, expected ?? 0) <= tokensMax) return undefined
  const from = Date.parse(month.from)
  const reachedAt = new Date(from + (now - from) * (tokensMax / toDate.tokens)).toISOString()
  const isReached = toDate.tokens >= tokensMax
  return notice({
    tone: 'warning',
    title: isReached
      ? `The budget of ${COMPACT.format(tokensMax)} tokens is used up.`
      : `Model tokens are on pace for ${COMPACT.format(expected ?? 0)}, above the budget of ${COMPACT.format(tokensMax)}.`,
    text: isReached
      ? 'The assistant answers with quotations until the month ends.'
      : `Around ${shortDay(reachedAt)} the assistant starts to answer with quotations, until the month ends.`,
    actions:
      may('project:write') &&
      html`<a class="button small" href="${path('assistant')}">Change the budget</a>`,
  })
}

/** Returns the value that is expected at the end of the month; undefined if it cannot be known. */
function paceOf(value: number, { from, to }: UsageReply['month'], now: number): number | undefined {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  if (now - start < PACE_MS_MIN || value === 0) return undefined
  return Math.round(value / Math.min(1, (now - start) / (end - start)))
}

type Cell = {
  readonly title: string
  readonly value: number
  readonly print: (value: number) => string
  readonly limit?: number | null
  /** The value of the month before; undefined for one that does not start again. */
  readonly before?: number
  readonly note?: string
}

function cells(screen: ProjectScreen, usage: UsageReply): readonly Html[] {
  const { storage, toDate, before, tokensMax, month } = usage
  const { builds, buildSeconds } = toDate
  const minutes = countOf(Math.round(buildSeconds / 60), 'minute')
  const list: readonly Cell[] = [
    {
      title: 'Storage',
      value: storage.bytes,
      print: bytesText,
      limit: storage.bytesMax,
      note: `All projects of ${screen.organization.name}. Files that deployments share count once.`,
    },
    {
      title: 'Model tokens',
      value: toDate.tokens,
      print: (value) => COMPACT.format(value),
      limit: tokensMax,
      before: before.tokens,
    },
    { title: 'Questions', value: toDate.questions, print: countText, before: before.questions },
    {
      title: 'Deployments',
      value: toDate.deployments,
      print: countText,
      before: before.deployments,
      note: builds === 0 ? '' : `${countOf(builds, 'build')} from Git took ${minutes}.`,
    },
    {
      title: 'Requests of readers',
      value: toDate.requests,
      print: countText,
      before: before.requests,
    },
    {
      title: 'Sent to readers',
      value: toDate.sentBytes,
      print: bytesText,
      before: before.sentBytes,
    },
  ]
  return list.map((cell) => renderCell(cell, { month, now: screen.now }))
}

function renderCell(
  { title, value, print, limit = null, before, note = '' }: Cell,
  { month, now }: { readonly month: UsageReply['month']; readonly now: number },
): Html {
  const pace = before === undefined ? undefined : paceOf(value, month, now)
  const meter =
    limit !== null && meterBar({ label: title, used: value, expected: pace ?? value, limit })
  const words = [
    pace !== undefined && `On pace for ${print(pace)}.`,
    before !== undefined && before > 0 && `${changeText(value, before)}.`,
    note,
  ]
  return html`
    <div>
      <div class="first-line">
        <h3>${title}</h3>
        <p><b>${print(value)}</b>${limit !== null && ` of ${print(limit)}`}</p>
      </div>
      ${meter}
      <p class="hint">${words.filter((one) => one !== false && one !== '').join(' ') || 'Nothing yet.'}</p>
    </div>
  `
}

function changeText(value: number, before: number): string {
  const percent = Math.round(((value - before) / before) * 100)
  if (percent === 0) return 'Unchanged'
  return percent < 0 ? `−${-percent}%` : `+${percent}%`
}

function projectsCard({ projects, storage }: OrganizationUsage): Html {
  const number = (label: string, content: string) => ({ content, label, isEnd: true })
  const total = (key: 'requests' | 'questions' | 'tokens' | 'deployments') =>
    projects.reduce((all, project) => all + project[key], 0)
  const rows = projects.map(
    (project, index): Row => ({
      cells: [
        {
          isLead: true,
          content: html`${splitSwatch(index)} <span class="main">${project.name}</span>`,
        },
        number('Storage', bytesText(project.storedBytes)),
        number('Deployments', countText(project.deployments)),
        number('Requests', countText(project.requests)),
        number('Questions', countText(project.questions)),
        number('Tokens', COMPACT.format(project.tokens)),
      ],
    }),
  )
  const all: Row = {
    className: 'total',
    cells: [
      { isLead: true, content: 'All projects' },
      number('Storage', bytesText(storage.bytes)),
      number('Deployments', countText(total('deployments'))),
      number('Requests', countText(total('requests'))),
      number('Questions', countText(total('questions'))),
      number('Tokens', COMPACT.format(total('tokens'))),
    ],
  }
  const bar = splitBar(
    'Storage by project',
    projects.map(({ storedBytes }) => storedBytes),
  )
  return card({
    title: 'By project',
    aside: bar && 'The bar shows storage',
    isFlush: true,
    body: html`
      ${bar && html`<div class="card-body">${bar}</div>`}
      ${table({
        caption: 'This month by project',
        className: 'by-project',
        columns: [
          { label: 'Project' },
          ...['Storage', 'Deployments', 'Requests', 'Questions', 'Tokens'].map((label) => ({
            label,
            isEnd: true,
          })),
        ],
        rows: [...rows, all],
      })}
    `,
  })
}
