/**
 * Endpoints of Mintlify's API that trigger a deployment, so that existing scripts keep working.
 * They build the repository that a project is connected to.
 */

import { PreviewBody, StartedUpdate, UpdateStatus } from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import { ProjectParams, ulidParam } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import type { BuildState } from '../../projects/notifications/print-status.ts'
import type { BuildService } from '../builds/build-service.ts'
import type { DeploymentService } from './deployment-service.ts'
import { READ, TAG, TRIGGER_LIMIT, WRITE } from './routes.ts'

type State = Awaited<ReturnType<DeploymentService['get']>>['state']

const STATUS_OF: Readonly<Record<State, UpdateStatus['status']>> = {
  uploading: 'in_progress',
  ready: 'success',
  live: 'success',
  superseded: 'success',
  failed: 'failure',
  cancelled: 'failure',
  expired: 'failure',
  removed: 'failure',
}

const BUILD_STATUS: Readonly<Record<BuildState, UpdateStatus['status']>> = {
  queued: 'queued',
  fetching: 'in_progress',
  building: 'in_progress',
  uploading: 'in_progress',
  finished: 'success',
  failed: 'failure',
  skipped: 'skipped',
  superseded: 'skipped',
  cancelled: 'failure',
}
const LOG_LINES = 100

type ServiceOf = (tenant: Tenant) => DeploymentService
type BuildsOf = (tenant: Tenant) => BuildService

export const compatibleRoutes = (serviceOf: ServiceOf, buildsOf: BuildsOf): readonly Route[] => [
  triggerUpdate(buildsOf),
  triggerPreview(serviceOf, buildsOf),
  getStatus(serviceOf, buildsOf),
]

const triggerUpdate = (buildsOf: BuildsOf) =>
  defineRoute({
    method: 'POST',
    path: '/v1/project/update/:projectId',
    tag: TAG,
    summary: 'Trigger an update',
    description:
      'Reads the connected repository, then builds and publishes the newest commit of the published branch. The commit is built even if it was built before, because hosted specifications may have changed. Returns 502 if the repository could not be read, and 409 if the project has none: then deploy with `octavo deploy`.',
    caller: WRITE,
    params: ProjectParams,
    reply: StartedUpdate,
    status: 202,
    problems: ['conflict', 'upstream-failed'],
    limit: TRIGGER_LIMIT,
    async handle({ caller, audit }) {
      const statusId = await buildsOf(caller.tenant).update()
      await audit({ action: 'build.create', object: `build ${statusId}` })
      return { statusId }
    },
  })

const triggerPreview = (serviceOf: ServiceOf, buildsOf: BuildsOf) =>
  defineRoute({
    method: 'POST',
    path: '/v1/project/preview/:projectId',
    tag: TAG,
    summary: 'Trigger a preview',
    description:
      'Reads the connected repository, then builds the newest commit of a branch as a preview. Returns 502 if the repository could not be read, and 409 if the project has none: then deploy with `octavo deploy --preview`.',
    caller: WRITE,
    params: ProjectParams,
    body: PreviewBody,
    reply: StartedUpdate.extend({ previewUrl: z.string() }),
    status: 202,
    problems: ['conflict', 'upstream-failed'],
    limit: TRIGGER_LIMIT,
    async handle({ caller, body, audit }) {
      const { slug } = await serviceOf(caller.tenant).project()
      const started = await buildsOf(caller.tenant).preview(body.branch, slug)
      await audit({ action: 'build.create', object: `build ${started.statusId}` })
      return started
    },
  })

const getStatus = (serviceOf: ServiceOf, buildsOf: BuildsOf) =>
  defineRoute({
    method: 'GET',
    path: '/v1/project/update-status/:statusId',
    tag: TAG,
    summary: 'Get the status of an update',
    description:
      'Returns the progress of an update. `statusId` is the id of a build or of a deployment, so you can read the status of any build or deployment.',
    caller: READ,
    params: z.object({
      statusId: ulidParam('This deployment does not exist.').meta({
        description: 'The `statusId` of an update, or the id of a build or a deployment.',
        examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
      }),
    }),
    reply: UpdateStatus,
    async handle({ caller, params }) {
      const deployments = serviceOf(caller.tenant)
      const build = await findBuild(buildsOf(caller.tenant), params.statusId)
      if (build !== undefined) {
        const { slug } = await deployments.project()
        return { ...build, projectId: caller.projectPublicId, subdomain: slug }
      }
      const deployment = await deployments.get(params.statusId, 0)
      const { slug } = await deployments.project()
      const { commit, branch, message } = deployment
      return {
        _id: deployment.id,
        projectId: caller.projectPublicId,
        createdAt: deployment.createdAt,
        endedAt: deployment.finishedAt ?? null,
        status: STATUS_OF[deployment.state],
        summary: `Deployment ${deployment.number} is ${deployment.state}.`,
        logs: [],
        subdomain: slug,
        commit: { sha: commit ?? null, ref: branch ?? null, message: message ?? null },
        source: 'api' as const,
      }
    },
  })

/** Returns the build with this id; undefined if the id belongs to a deployment. */
async function findBuild(builds: BuildService, id: string) {
  const build = await builds.find(id).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not-found') return undefined
    throw error
  })
  if (build === undefined) return undefined
  const { number, state, reason } = build
  return {
    _id: build.id,
    createdAt: build.created_at.toISOString(),
    endedAt: build.finished_at?.toISOString() ?? null,
    status: BUILD_STATUS[state],
    summary: `Build ${number} is ${state}.${reason === null ? '' : ` ${reason}`}`,
    logs: [...(await builds.lastLines(id, LOG_LINES))],
    commit: { sha: build.commit_sha, ref: build.ref, message: build.message },
    source: 'api' as const,
  }
}
