/** `/projects/:id/usage`: storage, traffic and deployments. */
import { UsageReply } from '@octavo/contract'
import { card, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { html } from '../../parts/html.ts'
import { notice } from '../../parts/notice.ts'
import { bytesText, countText } from '../../parts/number.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

const NEARLY = 0.8

export async function showUsage(screen: ProjectScreen): Promise<Response> {
  const { visit, project, options, organization } = screen
  const path = apiPaths.project(project.id, '/usage')
  const { storage, readers, deployments } = await readApi(visit.api, UsageReply, path)
  const { bytes, bytesMax } = storage
  const share = bytesMax === null || bytesMax === 0 ? 0 : Math.min(1, bytes / bytesMax)
  const meter =
    bytesMax !== null &&
    html`
      <meter min="0" max="${bytesMax}" high="${Math.round(bytesMax * NEARLY)}" value="${bytes}"
        aria-label="Storage">
        ${Math.round(share * 100)} %
      </meter>
    `
  const warning =
    share >= NEARLY &&
    notice({
      tone: 'warning',
      title: `${Math.round(share * 100)} % of the storage is used.`,
      text: 'When it is full, new deployments are rejected. Unused deployments are deleted automatically; the operator can raise the limit.',
    })
  return projectPage(screen, {
    section: 'usage',
    title: 'Usage',
    body: html`
      ${pageHead({ title: 'Usage', lead: 'The site in the last 30 days, and what the organization stores.' })}
      ${warning}
      <dl class="card statistics">
        <div><dt>Requests of readers</dt><dd>${countText(readers.requests)}</dd></div>
        <div><dt>Sent to readers</dt><dd>${bytesText(readers.bytes)}</dd></div>
        <div><dt>Deployments</dt><dd>${countText(deployments)}</dd></div>
      </dl>
      ${card({
        title: 'Storage',
        aside: `All projects of ${organization.name}`,
        body: html`
          <p>
            <b>${bytesText(bytes)}</b> ${bytesMax === null ? 'without a limit' : `of ${bytesText(bytesMax)}`}
          </p>
          ${meter}
          <p class="hint after">Files that several deployments share are counted once.</p>
        `,
      })}
      ${equivalentCommands(curlCommand({ url: options.url, path }), 'octavo-service usage')}
    `,
  })
}
