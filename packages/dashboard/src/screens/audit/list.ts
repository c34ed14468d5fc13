/** `/projects/:id/audit`: who changed what. */
import { type AuditEntry, AuditList } from '@octavo/contract'
import { emptyState, pageHead, person } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { pager, type Row, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths, type Query, withQuery } from '../../visit/api-paths.ts'
import { ApiFailure, readApi, readProblem } from '../../visit/call-api.ts'
import { formValue, type ProjectScreen } from '../../visit/screen.ts'
import { actionWords } from './words.ts'

const FILTERS = ['q', 'actor', 'action', 'from', 'to']
const NDJSON = 'application/x-ndjson'
const CHANGE_LENGTH_MAX = 60

export async function showAudit(screen: ProjectScreen): Promise<Response> {
  const { visit, project, url, options, path } = screen
  const filter = readFilter(url)
  const cursor = url.searchParams.get('cursor') ?? undefined
  const listPath = apiPaths.project(project.id, '/audit', { ...filter, cursor })
  const { entries, nextCursor } = await readApi(visit.api, AuditList, listPath)
  const list =
    entries.length === 0
      ? emptyState(
          'Nothing to see',
          'Each change of keys, members, settings and deployments appears here, with who did it. No entry matches this filter.',
          html`<a class="button" href="${path('audit')}">Show all</a>`,
        )
      : auditTable(screen, entries)
  return projectPage(screen, {
    section: 'audit',
    title: 'Audit log',
    body: html`
      ${pageHead({ title: 'Audit log', lead: 'Who changed what. Nothing here can be edited or removed.' })}
      <section class="card">${filterForm(screen, filter)}${list}${pager(url, { nextCursor })}</section>
      ${equivalentCommands(
        curlCommand({
          url: options.url,
          path: apiPaths.project(project.id, '/audit', filter),
          accept: NDJSON,
        }),
      )}
    `,
  })
}

export async function exportAudit(screen: ProjectScreen): Promise<Response> {
  const { visit, project, url, now } = screen
  const path = apiPaths.project(project.id, '/audit', readFilter(url))
  const reply = await visit.api('GET', path, { accept: NDJSON })
  if (!reply.ok) throw new ApiFailure(await readProblem(reply))
  const day = new Date(now).toISOString().slice(0, 10)
  return new Response(reply.body, {
    headers: {
      'content-type': reply.headers.get('content-type') ?? NDJSON,
      'content-disposition': `attachment; filename="audit-${day}.ndjson"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function readFilter(url: URL): Query {
  return Object.fromEntries(
    FILTERS.map((name) => [name, formValue(url.searchParams, name) || undefined]),
  )
}

const KINDS = {
  key: 'Keys',
  member: 'Members',
  project: 'Project',
  deployment: 'Deployments',
  build: 'Builds',
  preview: 'Previews',
  connection: 'Git connection',
  conversation: 'Conversations',
  assistant: 'Assistant',
  gap: 'Gaps',
}

function filterForm({ path }: ProjectScreen, filter: Query): Html {
  const value = (name: string) => String(filter[name] ?? '')
  const kinds = Object.entries(KINDS).map(([kind, label]) => ({ value: kind, label }))
  const fields = [
    textField({
      name: 'q',
      label: 'Text',
      type: 'search',
      value: value('q'),
      placeholder: 'Id, name or request id',
      className: 'grow',
    }),
    textField({
      name: 'actor',
      label: 'Who',
      value: value('actor'),
      placeholder: 'operator, or key',
    }),
    selectField({
      name: 'action',
      label: 'What',
      value: value('action'),
      choices: [{ value: '', label: 'Everything' }, ...kinds],
    }),
    textField({ name: 'from', label: 'From', type: 'date', value: value('from') }),
    textField({ name: 'to', label: 'Before', type: 'date', value: value('to') }),
  ]
  return html`
    <form method="get" action="${path('audit')}" class="filters" role="search">
      ${fields}
      <button class="button">Filter</button>
      <a class="button" href="${withQuery(path('audit.ndjson'), filter)}" download>
        ${icon('download')}NDJSON
      </a>
    </form>
  `
}

function auditTable(screen: ProjectScreen, entries: readonly AuditEntry[]): Html {
  return table({
    caption: 'Audit log, newest first',
    className: 'audit',
    columns: ['When', 'Who', 'What', 'Change', 'Network', 'Request'].map((label) => ({ label })),
    rows: entries.map((entry) => auditRow(screen, entry)),
  })
}

function auditRow({ now }: ProjectScreen, entry: AuditEntry): Row {
  const { at, actor, actorName, action, object, network, requestId } = entry
  return {
    cells: [
      { content: timeTag(at, now), className: 'muted' },
      who(actor, actorName),
      {
        isLead: true,
        content: html`<span class="main">${actionWords(action)}</span><div class="sub">${object}</div>`,
      },
      { content: change(entry), className: 'whole' },
      { content: network && html`<span class="mono">${network}</span>`, className: 'muted' },
      {
        content: requestId && html`<span class="mono">${requestId}</span>`,
        className: 'muted wide-only',
      },
    ],
  }
}

function who(actor: string, name: string | undefined): HtmlPart {
  if (actor.startsWith('user ')) return person(name ?? actor.slice(5))
  const label = name ?? actor
  const sign = actor.startsWith('key ') ? 'key' : 'terminal'
  return html`
    <span class="person">
      <span class="avatar is-machine" aria-hidden="true">${icon(sign)}</span>
      ${label}
    </span>
  `
}

function change({ before, after }: AuditEntry): HtmlPart {
  const [old, next] = [printValue(before), printValue(after)]
  if (old === undefined && next === undefined) return '–'
  return html`
    <span class="change">
      ${old !== undefined && html`<del>${old}</del>`}
      ${old !== undefined && next !== undefined && icon('arrow-right')}
      ${next !== undefined && html`<ins>${next}</ins>`}
    </span>
  `
}

/** Returns text like `name: Docs, days: 30`, truncated. */
function printValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object') return shorten(String(value))
  const known = Object.entries(value).filter(([, one]) => one !== null && one !== '')
  const parts = known.map(([name, one]) => {
    const text = typeof one === 'object' && one !== null ? JSON.stringify(one) : String(one)
    return `${name}: ${text}`
  })
  return parts.length === 0 ? undefined : shorten(parts.join(', '))
}

const shorten = (text: string) =>
  text.length > CHANGE_LENGTH_MAX ? `${text.slice(0, CHANGE_LENGTH_MAX)}…` : text
