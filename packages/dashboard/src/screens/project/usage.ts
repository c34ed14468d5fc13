/**
 * `/projects/:id/usage`: the usage of the project in the current month, with its projection, and the
 * storage and the share of each project of the organization.
 */
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

const WARNING_SHARE = 0.8
/** The number of projects with a row of their own; all smaller projects share one row. */
const PROJECTS_SHOWN = 20
/**
 * The minimum time since the start of the month for a projection. An earlier one would be useless.
 */
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
        lead: `${shortDay(from)} to ${today}, in UTC. Counters reset on ${shortDay(to)}.`,
      })}
      ${storageWarning(usage)}
      ${tokensWarning(screen, usage)}
      ${card({
        title: `${project.name} this month`,
        aside:
          Object.values(usage.before).some((value) => value > 0) &&
          `Changes are relative to the same days of ${before}`,
        isFlush: true,
        body: html`<div class="quota">${cells(screen, usage)}</div>`,
      })}
      ${organizationCard(screen, usage, shared)}
      ${equivalentCommands(curlCommand({ url: options.url, path }), 'octavo-service usage')}
    `,
  })
}

function storageWarning({ storage: { bytes, bytesMax } }: UsageReply): HtmlPart {
  if (bytesMax === null || bytes < WARNING_SHARE * bytesMax) return undefined
  return notice({
    tone: 'warning',
    title: `${percentText(bytes, bytesMax)} of the storage is used.`,
    text: 'When the storage is full, new deployments are rejected. Unused deployments are deleted automatically, and the operator can raise the limit.',
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
      : `Around ${shortDay(reachedAt)} the assistant switches to quotations until the month ends.`,
    actions:
      may('project:write') &&
      html`<a class="button small" href="${path('assistant')}">Change the budget</a>`,
  })
}

/**
 * Returns the projected value at the end of the month; undefined if it is too early for a
 * projection or the value is 0.
 */
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
  /** The value of the previous month; undefined for a value that is not counted by month. */
  readonly before?: number
  readonly note?: string
}

function cells(screen: ProjectScreen, usage: UsageReply): readonly Html[] {
  const { toDate, before, tokensMax, month } = usage
  const { builds, buildSeconds } = toDate
  const minutes = countOf(Math.round(buildSeconds / 60), 'minute')
  const list: readonly Cell[] = [
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
    },
    {
      title: 'Builds from Git',
      value: builds,
      print: countText,
      before: before.builds,
      note: builds === 0 ? '' : `${minutes} in total.`,
    },
    {
      title: 'Reader requests',
      value: toDate.requests,
      print: countText,
      before: before.requests,
    },
    {
      title: 'Data sent to readers',
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

type Used = Pick<
  OrganizationUsage['projects'][number],
  'storedBytes' | 'deployments' | 'requests' | 'questions' | 'tokens'
>

const sumOf = (projects: readonly Used[]): Used => {
  const sum = (key: keyof Used) => projects.reduce((all, project) => all + project[key], 0)
  return {
    storedBytes: sum('storedBytes'),
    deployments: sum('deployments'),
    requests: sum('requests'),
    questions: sum('questions'),
    tokens: sum('tokens'),
  }
}

function usageCells(name: HtmlPart, used: Used): Row['cells'] {
  const number = (label: string, content: string) => ({ content, label, isEnd: true })
  return [
    { isLead: true, content: name },
    number('Storage', bytesText(used.storedBytes)),
    number('Deployments', countText(used.deployments)),
    number('Requests', countText(used.requests)),
    number('Questions', countText(used.questions)),
    number('Tokens', COMPACT.format(used.tokens)),
  ]
}

/**
 * Renders the storage of all projects, which share one limit, and the usage of each project for
 * members of the organization.
 */
function organizationCard(
  { organization, project, now }: ProjectScreen,
  { storage, month }: UsageReply,
  shared: OrganizationUsage | undefined,
): Html {
  const cell = renderCell(
    {
      title: 'Storage',
      value: storage.bytes,
      print: bytesText,
      limit: storage.bytesMax,
      note: 'Files that deployments share count once.',
    },
    { month, now },
  )
  return card({
    title: `All projects of ${organization.name}`,
    aside: storage.bytesMax !== null && 'The limit is for all projects together',
    isFlush: true,
    body: html`
      <div class="quota whole">${cell}</div>
      ${shared !== undefined && shared.projects.length > 1 && projectTable(shared, project.id)}
    `,
  })
}

function projectTable({ projects, storage }: OrganizationUsage, own: string): Html {
  const others = projects.slice(PROJECTS_SHOWN)
  const rows = projects.slice(0, PROJECTS_SHOWN).map(
    (project, index): Row => ({
      cells: usageCells(
        html`
          ${splitSwatch(index)} <span class="main">${project.name}</span>
          ${project.id === own && html`<span class="muted">This project</span>`}
        `,
        project,
      ),
    }),
  )
  if (others.length > 0)
    rows.push({ cells: usageCells(countOf(others.length, 'more project'), sumOf(others)) })
  rows.push({
    className: 'total',
    // The storage is not the sum of the projects: files that several projects have are stored only
    // once.
    cells: usageCells('All projects', { ...sumOf(projects), storedBytes: storage.bytes }),
  })
  const bar = splitBar(
    'Storage by project',
    projects.map(({ storedBytes }) => storedBytes),
  )
  return html`
    ${bar && html`<div class="card-body storage-split"><p class="hint">Storage by project</p>${bar}</div>`}
    ${table({
      caption: 'Usage this month by project',
      className: 'by-project',
      columns: [
        { label: 'Project' },
        ...['Storage', 'Deployments', 'Requests', 'Questions', 'Tokens'].map((label) => ({
          label,
          isEnd: true,
        })),
      ],
      rows,
    })}
  `
}
