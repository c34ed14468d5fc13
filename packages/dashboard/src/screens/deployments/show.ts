/** `/projects/:id/deployments/:id`: one deployment, its changes, and its actions. */
import { ApiChangesReply, Deployment, DeploymentDiff, DeploymentList } from '@octavo/contract'
import { card, commitTag, emptyState, factColumns, pageHead, person } from '../../parts/card.ts'
import { codeSample, curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { type IconName, icon } from '../../parts/icon.ts'
import { siteButton, webLink } from '../../parts/link.ts'
import { bytesText, countOf, countText } from '../../parts/number.ts'
import { deploymentState, stateTag } from '../../parts/state.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { findApi, readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { apiChanges } from './api-changes.ts'
import { lockNotice } from './list.ts'
import { changeCounts, numberedName } from './rows.ts'

const PAGES_SHOWN = 40
const FINISHED = ['ready', 'live', 'superseded']

export async function showDeployment(screen: ProjectScreen, id: string): Promise<Response> {
  const { visit, project, options, path } = screen
  const one = `/deployments/${encodeURIComponent(id)}`
  const deployment = await readApi(visit.api, Deployment, apiPaths.project(project.id, one))
  const base = await findBase(screen, deployment)
  const diffPath = apiPaths.project(project.id, `${one}/diff`, { base: base?.id })
  const diff = FINISHED.includes(deployment.state)
    ? await findApi(visit.api, DeploymentDiff, diffPath)
    : undefined
  const apiPath = apiPaths.project(project.id, `${one}/api-changes`)
  const api = FINISHED.includes(deployment.state)
    ? await findApi(visit.api, ApiChangesReply, apiPath)
    : undefined
  const compared =
    base === undefined ? 'Compared with the live deployment' : `Compared with #${base.number}`
  const name = numberedName(deployment)
  const body = html`
    ${pageHead({
      title: name,
      back: { href: path('deployments'), label: 'Deployments' },
      state: stateTag(deploymentState(deployment), true),
      actions: actions(screen, deployment),
    })}
    ${deployment.state === 'ready' && deployment.target === 'production' && lockNotice(screen)}
    <section class="card">
      <div class="card-body">${facts(screen, deployment)}</div>
    </section>
    ${diff === undefined ? noDifference(deployment) : difference(screen, diff, { deployment, compared })}
    ${api !== undefined && apiChanges(api)}
    ${equivalentCommands(
      curlCommand({ url: options.url, path: diffPath }),
      `octavo deployments diff ${deployment.number}${base === undefined ? '' : ` --base ${base.number}`} --service ${options.url} --project ${project.id}`,
    )}
  `
  return projectPage(screen, { section: 'deployments', title: name, body })
}

/**
 * Returns the deployment to compare with. By default, the live deployment is compared with its
 * predecessor.
 */
async function findBase(
  { visit, project, url, site }: ProjectScreen,
  { id, number }: Deployment,
): Promise<Deployment | undefined> {
  const base = url.searchParams.get('base')
  const path = (rest: string, query = {}) => apiPaths.project(project.id, rest, query)
  if (base !== null)
    return findApi(visit.api, Deployment, path(`/deployments/${encodeURIComponent(base)}`))
  if (site.live !== id) return undefined
  const { deployments } = await readApi(
    visit.api,
    DeploymentList,
    path('/deployments', { limit: 50 }),
  )
  return deployments.find((other) => other.number < number && other.state === 'superseded')
}

function actions({ may, path }: ProjectScreen, deployment: Deployment): HtmlPart {
  const { id, url, state, target } = deployment
  const isPublishable = target === 'production' && (state === 'ready' || state === 'superseded')
  const publish =
    may('deploy:write') &&
    isPublishable &&
    html`
      <a class="button primary" href="${path(`deployments/${id}/publish`)}">
        ${state === 'superseded' ? html`${icon('undo')}Roll back…` : 'Publish…'}
      </a>
    `
  return html`${siteButton(url, state === 'live' ? 'View site' : 'Preview')}${publish}`
}

function facts({ now }: ProjectScreen, deployment: Deployment): Html {
  const { commit, branch, author, files, bytes, createdAt, finishedAt, publishedAt } = deployment
  return factColumns([
    ['Commit', commitTag(commit) || '–'],
    ['Branch', branch ?? '–'],
    ['Author', author === undefined ? '–' : person(author)],
    ['Size', files === undefined ? '–' : `${countOf(files, 'file')}, ${bytesText(bytes ?? 0)}`],
    ['Created', timeTag(createdAt, now)],
    ['Finished', finishedAt === undefined ? '–' : timeTag(finishedAt, now)],
    ['Published', publishedAt === undefined ? 'Never' : timeTag(publishedAt, now)],
  ])
}

function noDifference({ state }: Deployment): Html {
  return card({
    title: 'Pages',
    isFlush: true,
    body: emptyState(
      'Nothing to compare',
      state === 'uploading'
        ? 'The differences appear here when the upload has finished.'
        : 'The files of this deployment have been deleted, or no deployment is live.',
    ),
  })
}

type Change = { readonly kind: keyof typeof KINDS; readonly page: string; readonly from?: string }

const KINDS = {
  added: { word: 'Added', tone: 'good', sign: 'file-plus' },
  moved: { word: 'Moved', tone: 'busy', sign: 'corner' },
  changed: { word: 'Changed', tone: 'off', sign: 'file-pen' },
  removed: { word: 'Removed', tone: 'bad', sign: 'file-minus' },
} as const satisfies Record<string, { word: string; tone: string; sign: IconName }>

function difference(
  { site }: ProjectScreen,
  diff: DeploymentDiff,
  { deployment, compared }: { readonly deployment: Deployment; readonly compared: string },
): Html {
  const { pages, redirects, files } = diff
  const changes: readonly Change[] = [
    ...pages.added.map((page) => ({ kind: 'added' as const, page })),
    ...pages.moved.map(({ from, to }) => ({ kind: 'moved' as const, page: to, from })),
    ...pages.changed.map((page) => ({ kind: 'changed' as const, page })),
    ...pages.removed.map((page) => ({ kind: 'removed' as const, page })),
  ]
  const base = deployment.url ?? (deployment.state === 'live' ? site.url : undefined)
  const rows = changes.slice(0, PAGES_SHOWN).map((change) => changeRow(change, base))
  const rest = changes.length - rows.length
  const list =
    rows.length === 0
      ? emptyState('No page changed', `Files: ${countText(files.changed)} changed.`)
      : html`
        <table class="files">
          <caption class="sr-only">Pages that changed</caption>
          <thead>
            <tr><th scope="col">Change</th><th scope="col">Page</th></tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      `
  const fileCounts = (['added', 'changed', 'removed'] as const)
    .map((kind) => `${countText(files[kind])} ${kind}`)
    .join(', ')
  const proposed =
    redirects.length > 0 &&
    card({
      title: 'Suggested redirects',
      aside: html`
        ${countOf(redirects.length, 'address', 'addresses')} would stop working. Add these lines
        to <code>docs.json</code>.
      `,
      body: codeSample('redirects', redirects.map(printRedirect).join(',\n')),
    })
  return html`
    ${card({
      title: html`Pages <span class="muted small">${compared}: ${changeCounts(diff)}</span>`,
      isFlush: true,
      body: list,
      foot: html`
        <span>Files: ${fileCounts}</span>
        ${rest > 0 && html`<span class="end">and ${countOf(rest, 'page')} more</span>`}
      `,
    })}
    ${proposed}
  `
}

/** Prints a redirect as it is written in docs.json. */
function printRedirect({ source, destination }: DeploymentDiff['redirects'][number]): string {
  return `{ "source": ${JSON.stringify(source)}, "destination": ${JSON.stringify(destination)} }`
}

function changeRow({ kind, page, from }: Change, base: string | undefined): Html {
  const label = html`<span class="mono">${from !== undefined && `${from} → `}${page}</span>`
  const link =
    kind === 'removed' || base === undefined ? label : webLink(page, label, { base, className: '' })
  return html`<tr><td>${stateTag(KINDS[kind])}</td><td>${link}</td></tr>`
}
