import { Deployment } from '@octavo/contract'
import { apiPaths } from '../visit/api-paths.ts'
import { findApi } from '../visit/call-api.ts'
import type { ProjectScreen } from '../visit/screen.ts'
import { type HtmlPart, html } from './html.ts'

/**
 * Renders a link with a deployment's number; undefined if the deployment is gone or the person may
 * not see it.
 */
export async function deploymentLink(screen: ProjectScreen, id: string): Promise<HtmlPart> {
  const { visit, project, path, may } = screen
  if (!may('deploy:read')) return undefined
  const address = apiPaths.project(project.id, `/deployments/${encodeURIComponent(id)}`)
  const deployment = await findApi(visit.api, Deployment, address)
  return (
    deployment &&
    html`<a class="link" href="${path(`deployments/${id}`)}">#${deployment.number}</a>`
  )
}
