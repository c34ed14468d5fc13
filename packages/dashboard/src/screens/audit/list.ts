/** `/projects/:id/audit` and `/organizations/:id/audit`: who changed what. */
import { AuditList, MemberList, OrganizationReply } from '@octavo/contract'
import { emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import type { Choice } from '../../parts/form.ts'
import { accountPage, projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { pager } from '../../parts/table.ts'
import { apiPaths, type Query, withQuery } from '../../visit/api-paths.ts'
import { ApiFailure, readApi, readProblem } from '../../visit/call-api.ts'
import type { ProjectScreen, Screen } from '../../visit/screen.ts'
import { entryList } from './entries.ts'
import { filterForm, isFiltered, readFilter } from './filter.ts'

const NDJSON = 'application/x-ndjson'
const LEAD = 'Who changed what. Entries cannot be edited or removed.'

/** A log: the path of its page and of the API. */
type Log = {
  readonly of: 'project' | 'organization'
  readonly path: string
  readonly api: (query: Query) => string
  readonly people: readonly Choice[]
  readonly back?: { readonly href: string; readonly label: string }
}

export async function showAudit(screen: ProjectScreen): Promise<Response> {
  const log = { ...projectLog(screen), people: await readPeople(screen) }
  return projectPage(screen, {
    section: 'audit',
    title: 'Audit log',
    body: await logBody(screen, log),
  })
}

export async function showOrganizationAudit(screen: Screen, id: string): Promise<Response> {
  const { visit } = screen
  const { name } = await readApi(visit.api, OrganizationReply, apiPaths.organization(id))
  const back = { href: `/organizations/${encodeURIComponent(id)}`, label: name }
  const log = { ...organizationLog(id), people: [], back }
  return accountPage(screen, { title: `Audit log of ${name}`, body: await logBody(screen, log) })
}

export const exportAudit = (screen: ProjectScreen): Promise<Response> =>
  download(screen, projectLog(screen))

export const exportOrganizationAudit = (screen: Screen, id: string): Promise<Response> =>
  download(screen, organizationLog(id))

const projectLog = ({ project, path }: ProjectScreen) => ({
  of: 'project' as const,
  path: path('audit'),
  api: (query: Query) => apiPaths.project(project.id, '/audit', query),
})

const organizationLog = (id: string) => ({
  of: 'organization' as const,
  path: `/organizations/${encodeURIComponent(id)}/audit`,
  api: (query: Query) => withQuery(apiPaths.organization(id, '/audit'), query),
})

async function logBody(screen: Screen, log: Log): Promise<Html> {
  const { visit, url, options, now } = screen
  const { of, path, people, back } = log
  const filter = readFilter(url)
  const cursor = url.searchParams.get('cursor') ?? undefined
  const { entries, nextCursor } = await readApi(
    visit.api,
    AuditList,
    log.api({ ...filter, cursor }),
  )
  const file = html`
    <a class="button" href="${withQuery(`${path}.ndjson`, filter)}" download>${icon('download')}NDJSON</a>
  `
  return html`
    ${pageHead({ title: 'Audit log', lead: LEAD, actions: file, ...(back && { back }) })}
    <section class="card" aria-label="Entries">
      ${filterForm({ action: path, filter, of, people, entries })}
      ${entries.length === 0 ? noEntries(path, filter, nextCursor) : entryList({ entries, now })}
      ${pager(url, { nextCursor })}
    </section>
    ${equivalentCommands(
      curlCommand({
        url: options.url,
        path: log.api(filter),
        accept: NDJSON,
        isForPeople: of === 'organization',
      }),
    )}
  `
}

/** A page can be empty although older entries match. */
function noEntries(path: string, filter: Query, nextCursor: string | null): Html {
  if (nextCursor !== null)
    return emptyState(
      'No entries match so far',
      'The newest 10,000 entries were searched. Older ones may match.',
    )
  if (!isFiltered(filter))
    return emptyState('No entries yet', 'Each change appears here, with who made it.')
  return emptyState(
    'No entries match',
    'Choose other filters, or show everything.',
    html`<a class="button" href="${path}">Clear the filters</a>`,
  )
}

async function readPeople({ visit, project, may }: ProjectScreen): Promise<readonly Choice[]> {
  if (!may('members:write')) return []
  const list = await readApi(visit.api, MemberList, apiPaths.project(project.id, '/members'))
  return list.members.map(({ id, name }) => ({ value: `user ${id}`, label: name }))
}

async function download({ visit, url, now }: Screen, { api }: Pick<Log, 'api'>): Promise<Response> {
  const reply = await visit.api('GET', api(readFilter(url)), { accept: NDJSON })
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
