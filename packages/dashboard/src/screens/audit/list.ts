/** `/projects/:id/audit` and `/organizations/:id/audit`: who changed what. */
import { AuditList, MemberList, OrganizationReply } from '@octavo/contract'
import { emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import {
  DOWNLOAD_TYPES,
  type DownloadFormat,
  downloadMenu,
  forwardDownload,
} from '../../parts/download.ts'
import type { Choice } from '../../parts/form.ts'
import { accountPage, projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { pager } from '../../parts/table.ts'
import { apiPaths, type Query, withQuery } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen, Screen } from '../../visit/screen.ts'
import { entryList } from './entries.ts'
import { filterForm, isFiltered, readFilter } from './filter.ts'

const LEAD = 'Who changed what. Entries cannot be edited or removed.'

/** The log of a project or an organization: its paths in the dashboard and in the API. */
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

export const exportAudit = (screen: ProjectScreen, format: DownloadFormat): Promise<Response> =>
  download(screen, projectLog(screen), format)

export const exportOrganizationAudit = (
  screen: Screen,
  id: string,
  format: DownloadFormat,
): Promise<Response> => download(screen, organizationLog(id), format)

const download = (screen: Screen, { api }: Pick<Log, 'api'>, format: DownloadFormat) =>
  forwardDownload(screen, { path: api(readFilter(screen.url)), name: 'audit', format })

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
  const actions = downloadMenu({ path, filter })
  return html`
    ${pageHead({ title: 'Audit log', lead: LEAD, actions, ...(back && { back }) })}
    <section class="card" aria-label="Entries">
      ${filterForm({ action: path, filter, of, people, entries })}
      ${entries.length === 0 ? noEntries(path, filter, nextCursor) : entryList({ entries, now })}
      ${pager(url, { nextCursor })}
    </section>
    ${equivalentCommands(
      curlCommand({
        url: options.url,
        path: log.api(filter),
        accept: DOWNLOAD_TYPES.ndjson,
        isForPeople: of === 'organization',
      }),
    )}
  `
}

/** Renders the text for an empty page. Older entries can match even if this page is empty. */
function noEntries(path: string, filter: Query, nextCursor: string | null): Html {
  if (nextCursor !== null)
    return emptyState(
      'No matching entries so far',
      'The newest 10,000 entries were searched. Older ones may match.',
    )
  if (!isFiltered(filter))
    return emptyState(
      'No entries yet',
      'Every change appears here, with the person or key that made it.',
    )
  return emptyState(
    'No matching entries',
    'Choose other filters, or show everything.',
    html`<a class="button" href="${path}">Clear the filters</a>`,
  )
}

async function readPeople({ visit, project, may }: ProjectScreen): Promise<readonly Choice[]> {
  if (!may('members:write')) return []
  const list = await readApi(visit.api, MemberList, apiPaths.project(project.id, '/members'))
  return list.members.map(({ id, name }) => ({ value: `user ${id}`, label: name }))
}
