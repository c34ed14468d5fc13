import { ApprovalBody, PreviewList } from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import type { PreviewStore } from './preview-store.ts'
import { READ, TAG, WRITE } from './routes.ts'

const PATH = '/v1/projects/:projectId/previews'

type Previews = {
  readonly store: PreviewStore
  /** Returns the URL of a preview; undefined if the service does not host previews. */
  readonly urlOf: (name: string) => string | undefined
  /** Called after a fork's scripts were approved, to update the comment on its pull request. */
  readonly onApproved: () => Promise<void>
}

const PreviewParams = ProjectParams.extend({
  previewName: z.string().meta({
    description: 'The name of a preview.',
    examples: ['plants-new-guide-k3vq7m2xw5tyb4cdhn6p'],
  }),
})

type PreviewsOf = (tenant: Tenant) => Previews

export const previewRoutes = (previewsOf: PreviewsOf): readonly Route[] => [
  listPreviews(previewsOf),
  approvePreview(previewsOf),
  deletePreview(previewsOf),
]

const listPreviews = (previewsOf: PreviewsOf) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'List previews',
    description: 'The previews of a project, the most recently changed first.',
    caller: READ,
    params: ProjectParams,
    reply: PreviewList,
    async handle({ caller }) {
      const { store, urlOf } = previewsOf(caller.tenant)
      const rows = await store.list()
      return {
        previews: rows.map((row) => ({
          name: row.name,
          branch: row.branch,
          url: urlOf(row.name),
          deployment: row.deployment_id,
          number: Number(row.number),
          changedAt: row.changed_at.toISOString(),
          expiresAt: row.expires_at.toISOString(),
          runsScripts: row.runs_scripts,
        })),
      }
    },
  })

const approvePreview = (previewsOf: PreviewsOf) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/:previewName/approve`,
    tag: TAG,
    summary: 'Approve a preview',
    description:
      'Allows the scripts and components of a fork to run in its preview. The approval is for this deployment only: the next push of the fork has to be approved again.',
    caller: WRITE,
    params: PreviewParams,
    body: ApprovalBody,
    problems: ['conflict'],
    async handle({ caller, params: { previewName }, body: { deployment }, audit }) {
      const { store, onApproved } = previewsOf(caller.tenant)
      if (!(await store.approve(previewName, deployment))) {
        const shown = (await store.list()).find(({ name }) => name === previewName)
        if (shown === undefined) throw noSuchPreview()
        throw new Problem('conflict', `The preview shows deployment #${shown.number} now.`, {
          param: 'deployment',
        })
      }
      await audit({
        action: 'preview.approve',
        object: `preview ${previewName}`,
        after: { deployment },
      })
      await onApproved()
      return undefined
    },
  })

const deletePreview = (previewsOf: PreviewsOf) =>
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:previewName`,
    tag: TAG,
    summary: 'Delete a preview',
    description:
      'The URL of the preview returns 404 within seconds and is never used again. The deployment is kept. The next preview of the branch gets a different URL.',
    caller: WRITE,
    params: PreviewParams,
    async handle({ caller, params, audit }) {
      if (!(await previewsOf(caller.tenant).store.end(params.previewName))) throw noSuchPreview()
      await audit({ action: 'preview.delete', object: `preview ${params.previewName}` })
      return undefined
    },
  })

const noSuchPreview = () => new Problem('not-found', 'This preview does not exist.')
