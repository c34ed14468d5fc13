/** `/projects/:id/deployments`: deployments, builds from Git, previews, and the lock. */
import { BuildList, Deployment, DeploymentList, PreviewList } from '@octavo/contract'
import { emptyState, pageHead } from '../../parts/card.ts'
import { codeSample, curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { selectField, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { webLink } from '../../parts/link.ts'
import { notice } from '../../parts/notice.ts'
import { deployFromMachine } from '../../parts/octavo-command.ts'
import { deploymentState, stateTag, WARNING } from '../../parts/state.ts'
import { pager, type Row, rowMenu, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths, type Query } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import { formValue, type ProjectScreen } from '../../visit/screen.ts'
import { buildTable } from '../builds/rows.ts'
import { deploymentTable } from './rows.ts'

type View = 'deployments' | 'builds' | 'previews'

const VIEWS: readonly { readonly id: View; readonly label: string }[] = [
  { id: 'deployments', label: 'Deployments' },
  { id: 'builds', label: 'Builds from Git' },
  { id: 'previews', label: 'Previews' },
]

export async function showDeployments(screen: ProjectScreen, view: View): Promise<Response> {
  const { project, options, path, may } = screen
  const content = await viewContent(screen, view)
  const command = `octavo ${view === 'builds' ? 'builds' : 'deployments'}${view === 'previews' ? ' previews' : ''} --service ${options.url} --project ${project.id}`
  const lock =
    may('deploy:write') &&
    screen.site.lockReason === null &&
    html`<a class="button" href="${path('lock')}">${icon('lock')}Lock publishing…</a>`
  const tabs = VIEWS.map(
    ({ id, label }) =>
      html`<a href="${path(id)}"${id === view && html` aria-current="page"`}>${label}</a>`,
  )
  return projectPage(screen, {
    section: 'deployments',
    title: VIEWS.find(({ id }) => id === view)?.label ?? '',
    body: html`
      ${pageHead({
        title: 'Deployments',
        lead: 'Each deployment is a complete copy of the site. One deployment is live.',
        actions: lock,
      })}
      ${lockNotice(screen)}
      <section class="card">
        <nav class="tabs" aria-label="Kinds">${tabs}</nav>
        ${content}
      </section>
      ${equivalentCommands(
        curlCommand({ url: options.url, path: apiPaths.project(project.id, `/${view}`) }),
        command,
      )}
    `,
  })
}

export function lockNotice({ site, may, path }: ProjectScreen): HtmlPart {
  if (site.lockReason === null) return undefined
  return notice({
    tone: 'held',
    title: 'Publishing is locked.',
    text: html`“${site.lockReason}” New deployments are uploaded but not published.`,
    actions:
      may('deploy:write') &&
      html`<a class="button small" href="${path('unlock')}">${icon('unlock')}Unlock…</a>`,
  })
}

async function viewContent(screen: ProjectScreen, view: View): Promise<HtmlPart> {
  const { visit, project, url } = screen
  const cursor = url.searchParams.get('cursor') ?? undefined
  const at = (query: Query) => apiPaths.project(project.id, `/${view}`, query)
  switch (view) {
    case 'deployments': {
      const filter = readFilter(screen)
      const path = at({ cursor, ...filter })
      const { deployments, nextCursor } = await readApi(visit.api, DeploymentList, path)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      // A filtered page can be empty although older deployments match.
      const isAll = nextCursor === null && cursor === undefined
      if (deployments.length === 0 && isAll && !isFiltered) return nothingDeployed(screen)
      return html`
        ${filterForm(screen, filter)}
        ${deployments.length === 0 ? noMatch(screen, isAll) : deploymentTable(screen, deployments)}
        ${pager(url, { nextCursor })}
      `
    }
    case 'builds': {
      const { builds, nextCursor } = await readApi(visit.api, BuildList, at({ cursor }))
      if (builds.length === 0)
        return emptyState(
          'No builds yet',
          'Connect a repository to build each push. Deployments from the command line are built on your machine.',
        )
      return html`${buildTable(screen, builds)}${pager(url, { nextCursor })}`
    }
    case 'previews': {
      const { previews } = await readApi(visit.api, PreviewList, at({}))
      return previewTable(screen, previews)
    }
  }
}

const STATES = Deployment.shape.state.options

type Filter = { readonly state: Deployment['state'] | undefined; readonly q: string | undefined }

const readFilter = ({ url: { searchParams } }: ProjectScreen): Filter => ({
  state: STATES.find((one) => one === searchParams.get('state')),
  q: formValue(searchParams, 'q') || undefined,
})

function filterForm({ path }: ProjectScreen, { state, q }: Filter): Html {
  const choices = STATES.map((value) => ({
    value,
    label: deploymentState({ state: value, target: 'production' }).word,
  }))
  return html`
    <form method="get" action="${path('deployments')}" class="filters" role="search">
      ${textField({
        name: 'q',
        label: 'Text',
        type: 'search',
        value: q ?? '',
        placeholder: 'Message or commit',
        maxLength: TEXT_LENGTH_MAX,
        className: 'grow',
      })}
      ${selectField({
        name: 'state',
        label: 'State',
        value: state ?? '',
        choices: [{ value: '', label: 'All' }, ...choices],
      })}
      <button class="button">Filter</button>
    </form>
  `
}
const TEXT_LENGTH_MAX = 200

const noMatch = ({ path }: ProjectScreen, isAll: boolean): Html =>
  emptyState(
    isAll ? 'No matching deployments' : 'No matching deployments on this page',
    isAll ? 'Choose another state or text.' : 'Choose “Older” to search further.',
    html`<a class="button" href="${path('deployments')}">Show all</a>`,
  )

function nothingDeployed({ project, options }: ProjectScreen): Html {
  return emptyState(
    'No deployments yet',
    html`In a folder with a <code>docs.json</code>, run:`,
    codeSample('first', deployFromMachine(options, project.id)),
  )
}

type Preview = PreviewList['previews'][number]

function previewTable(screen: ProjectScreen, previews: readonly Preview[]): Html {
  if (previews.length === 0)
    return emptyState(
      'No previews yet',
      html`
        A preview shows a branch before it goes live. Every pull request gets a preview,
        and <code>octavo deploy --preview</code> creates one.
      `,
    )
  return table({
    caption: 'Previews',
    columns: [
      { label: 'Branch' },
      { label: 'Scripts' },
      { label: 'Changed', isEnd: true },
      { label: 'Expires', isEnd: true },
      { label: 'Actions', isHidden: true },
    ],
    rows: previews.map((preview) => previewRow(screen, preview)),
  })
}

function previewRow({ path, now, may }: ProjectScreen, preview: Preview): Row {
  const { branch, name, url, deployment, number, changedAt, expiresAt, runsScripts } = preview
  const scripts = runsScripts ? 'Allowed' : stateTag(WARNING('Needs approval'))
  return {
    cells: [
      {
        isLead: true,
        content: html`
          <span class="main">${webLink(url, branch, { className: 'main' })}</span>
          <div class="sub">
            <a href="${path(`deployments/${deployment}`)}">Deployment #${number}</a>
          </div>
        `,
      },
      { content: scripts, label: 'Scripts' },
      { content: timeTag(changedAt, now), isEnd: true, label: 'Changed' },
      { content: timeTag(expiresAt, now), isEnd: true, label: 'Expires' },
      rowMenu(branch, [
        may('deploy:write') &&
          !runsScripts && { label: 'Allow scripts…', href: path(`previews/${name}/approve`) },
        may('deploy:write') && {
          label: 'Delete…',
          href: path(`previews/${name}/delete`),
          isDanger: true,
        },
      ]),
    ],
  }
}
