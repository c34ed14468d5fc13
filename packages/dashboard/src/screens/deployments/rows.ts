/** Table rows for deployments, on the overview and on their own page. */
import type { Deployment, DeploymentDiff } from '@octavo/contract'
import { branchTag, commitTag } from '../../parts/card.ts'
import { type Html, html } from '../../parts/html.ts'
import { bytesText, countText } from '../../parts/number.ts'
import { deploymentState, stateTag } from '../../parts/state.ts'
import { type Row, rowMenu, table } from '../../parts/table.ts'
import { durationText, timeTag } from '../../parts/time.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

type Named = Pick<Deployment, 'number'> & { readonly message?: string | undefined }

export function deploymentName({ message, number }: Named): string {
  const [subject = ''] = (message ?? '').split('\n')
  return subject.trim() === '' ? `Deployment #${number}` : subject
}

/** Returns a deployment's name for headings. It starts with the deployment's number. */
export function numberedName(deployment: Named): string {
  const name = deploymentName(deployment)
  return name === deploymentName({ number: deployment.number })
    ? name
    : `#${deployment.number} ${name}`
}

/** Renders how many pages were added, changed and removed. */
export function changeCounts({ pages }: DeploymentDiff): Html {
  const count = (look: string, sign: string, value: number) =>
    html`<span class="${look}">${sign}${countText(value)}</span>`
  const added = count('plus', '+', pages.added.length)
  const changed = count('tilde', '~', pages.changed.length + pages.moved.length)
  const removed = count('minus', '−', pages.removed.length)
  return html`<span class="nowrap">${added} ${changed} ${removed}</span>`
}

export function deploymentTable(screen: ProjectScreen, deployments: readonly Deployment[]): Html {
  return table({
    caption: 'Deployments, newest first',
    className: 'deployments',
    columns: [
      { label: 'State' },
      { label: 'Deployment' },
      { label: 'Author' },
      { label: 'Files', isEnd: true },
      { label: 'Size', isEnd: true },
      { label: 'Duration', isEnd: true },
      { label: 'When', isEnd: true },
      { label: 'Actions', isHidden: true },
    ],
    rows: deployments.map((deployment) => deploymentRow(screen, deployment)),
  })
}

function deploymentRow({ path, now, may }: ProjectScreen, deployment: Deployment): Row {
  const { id, number, commit, branch, draft, author, files, bytes, createdAt, finishedAt } =
    deployment
  const name = deploymentName(deployment)
  const isPublishable =
    deployment.target === 'production' && ['ready', 'superseded'].includes(deployment.state)
  return {
    cells: [
      { content: stateTag(deploymentState(deployment)), className: 'state-cell' },
      {
        isLead: true,
        content: html`
          <a class="main cut" href="${path(`deployments/${id}`)}">${name}</a>
          <div class="sub">
            <span>#${number}</span>
            ${commitTag(commit)}
            ${branchTag(branch)}
            ${draft && html`<span>draft</span>`}
          </div>
        `,
      },
      { content: author ?? '–', className: author === undefined ? 'wide-only' : 'author-cell' },
      { content: files === undefined ? '–' : countText(files), isEnd: true, label: 'Files' },
      { content: bytes === undefined ? '–' : bytesText(bytes), isEnd: true },
      {
        content: finishedAt === undefined ? '–' : durationText(createdAt, finishedAt),
        isEnd: true,
        className: 'wide-only',
      },
      { content: timeTag(createdAt, now), isEnd: true, className: 'muted' },
      rowMenu(name, [
        { label: 'Details', href: path(`deployments/${id}`) },
        may('deploy:write') &&
          isPublishable && {
            label: deployment.state === 'superseded' ? 'Roll back…' : 'Publish…',
            href: path(`deployments/${id}/publish`),
          },
      ]),
    ],
  }
}
