import {
  BlobsReply,
  CreatedDeployment,
  Deployment,
  DeploymentBody,
  DeploymentDiff,
  DeploymentList,
  DocsSettingsReply,
  FinishReply,
  LockBody,
  MissingReply,
  Project,
  PublicationReply,
  PublishBody,
} from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import {
  filterText,
  ProjectParams,
  pageQuery,
  ulidParam,
  wholeNumber,
} from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import type { DeploymentService } from './deployment-service.ts'
import { FRAMES_BYTES_MAX } from './read-frames.ts'
import { DEPLOYMENT_LIMITS } from './read-manifest.ts'

const BYTES = 'application/octet-stream'
export const TAG = 'Deployments'
const PATH = '/v1/projects/:projectId/deployments'
const ONE = `${PATH}/:deploymentId`
const WAIT_SECONDS_MAX = 30
const NUMBER_MAX = 999_999_999

export const WRITE = { kind: 'deployToken', scope: 'deploy:write' } as const
/** The limit is low because each of these calls reads the repository. */
export const TRIGGER_LIMIT = { action: 'update', perHour: 120 }
export const READ = { kind: 'deployToken', scope: 'deploy:read' } as const
export const DeploymentParams = ProjectParams.extend({
  deploymentId: ulidParam('This deployment does not exist.').meta({
    description: 'The id of a deployment.',
    examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
  }),
})
export const BlobParams = ProjectParams.extend({
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/, { error: 'Expected a SHA-256 in lower-case hexadecimal.' })
    .meta({ description: 'The SHA-256 of the bytes, in hexadecimal.' }),
})

export const WaitQuery = z.object({
  wait: wholeNumber(WAIT_SECONDS_MAX).default(0).meta({
    description: 'How many seconds to wait for the state to change.',
    type: 'integer',
    minimum: 0,
    maximum: WAIT_SECONDS_MAX,
    default: 0,
  }),
})

type ServiceOf = (tenant: Tenant) => DeploymentService
type ProjectOf = (caller: Caller) => Promise<z.input<typeof Project>>

export function deploymentRoutes(serviceOf: ServiceOf, projectOf: ProjectOf): readonly Route[] {
  return [
    getProject(projectOf),
    getDocsSettings(serviceOf),
    createDeployment(serviceOf),
    listDeployments(serviceOf),
    getDeployment(serviceOf),
    listMissing(serviceOf),
    compareWithBase(serviceOf),
    finishDeployment(serviceOf),
    publishDeployment(serviceOf),
    cancelDeployment(serviceOf),
    lockProject(serviceOf),
    unlockProject(serviceOf),
    sendFile(serviceOf),
    sendFiles(serviceOf),
  ]
}

const getProject = (projectOf: ProjectOf) =>
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:projectId',
    tag: TAG,
    summary: 'Get a project',
    description: 'The project, the address of its site, and the live deployment.',
    caller: READ,
    params: ProjectParams,
    reply: Project,
    handle: ({ caller }) => projectOf(caller),
  })

const getDocsSettings = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:projectId/docs-settings',
    tag: TAG,
    summary: 'Get settings of docs.json',
    description:
      'The settings in the docs.json of the live deployment, each with its file and line. Settings that are not in docs.json are omitted.',
    caller: READ,
    params: ProjectParams,
    reply: DocsSettingsReply,
    handle: ({ caller }) => serviceOf(caller.tenant).docsSettings(),
  })

const createDeployment = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'POST',
    path: PATH,
    tag: TAG,
    summary: 'Create a deployment',
    description:
      'Starts a deployment with the root of its manifest. Send the missing runs and files, list what is still missing, and finish the deployment. With `Idempotency-Key`, the request can be repeated safely.',
    caller: WRITE,
    params: ProjectParams,
    body: DeploymentBody,
    reply: CreatedDeployment,
    status: 201,
    problems: ['unprocessable', 'insufficient-storage'],
    limit: { action: 'deployment', perHour: 600 },
    handle: ({ caller, body, idempotencyKey }) =>
      serviceOf(caller.tenant).create({ ...body, by: caller.actor, idempotencyKey }),
  })

const listDeployments = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'List deployments',
    description:
      'The deployments of a project, newest first. One request reads up to 1,000 deployments (of the branch, if you name one). If few of them match the other filters, a page can be short or empty and still have a `nextCursor`.',
    caller: READ,
    params: ProjectParams,
    query: z.object({
      branch: filterText.meta({ description: 'Only deployments of this branch.' }),
      state: Deployment.shape.state.optional().meta({
        description: 'Only deployments in this state.',
      }),
      q: filterText.meta({ description: 'Part of the message or the commit.' }),
      number: wholeNumber(NUMBER_MAX).optional().meta({
        description: 'Only the deployment with this number.',
        type: 'integer',
        minimum: 0,
        maximum: NUMBER_MAX,
      }),
      ...pageQuery('Deployments'),
    }),
    reply: DeploymentList,
    handle: ({ caller, query: { cursor, limit, branch, state, q: text, number } }) =>
      serviceOf(caller.tenant).list(cursor, Math.max(1, limit), { branch, state, text, number }),
  })

const getDeployment = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'GET',
    path: ONE,
    tag: TAG,
    summary: 'Get a deployment',
    description:
      'One deployment. With `wait`, the response is sent when the state of the deployment changes, or after the given number of seconds.',
    caller: READ,
    params: DeploymentParams,
    query: WaitQuery,
    reply: Deployment,
    handle: ({ caller, params, query }) =>
      serviceOf(caller.tenant).get(params.deploymentId, query.wait),
  })

const listMissing = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'GET',
    path: `${ONE}/missing`,
    tag: TAG,
    summary: 'List what is missing',
    description:
      'Digests that the deployment needs and this project has not sent: first the runs of the manifest, and then the files. At most 10,000 at a time.',
    caller: WRITE,
    params: DeploymentParams,
    reply: MissingReply,
    problems: ['conflict', 'gone', 'unprocessable'],
    handle: async ({ caller, params }) => ({
      missing: [...(await serviceOf(caller.tenant).missing(params.deploymentId))],
    }),
  })

const compareWithBase = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'GET',
    path: `${ONE}/diff`,
    tag: TAG,
    summary: 'Compare deployments',
    description:
      'Pages that a finished deployment adds, changes, removes and moves, compared with the live one or with `base`.',
    caller: READ,
    params: DeploymentParams,
    query: z.object({
      base: ulidParam('This deployment does not exist.').optional().meta({
        description: 'The id of the deployment to compare with. The default is the live one.',
      }),
    }),
    reply: DeploymentDiff,
    problems: ['conflict'],
    handle: ({ caller, params, query }) =>
      serviceOf(caller.tenant).diff(params.deploymentId, query.base),
  })

const finishDeployment = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'POST',
    path: `${ONE}/finish`,
    tag: TAG,
    summary: 'Finish a deployment',
    description:
      'Checks every run, file, path and limit, and publishes the deployment, unless it is a draft, the project is locked, or a newer deployment is live. All problems are listed at once.',
    caller: WRITE,
    params: DeploymentParams,
    reply: FinishReply,
    problems: ['conflict', 'gone', 'unprocessable'],
    async handle({ caller, params, audit }) {
      const done = await serviceOf(caller.tenant).finish(params.deploymentId)
      await audit({
        action: 'deployment.finish',
        object: `deployment ${params.deploymentId}`,
        after: { state: done.state, notPublished: done.notPublished },
      })
      return done
    },
  })

const publishDeployment = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'POST',
    path: `${ONE}/publish`,
    tag: TAG,
    summary: 'Publish a deployment',
    description:
      'Makes a finished deployment live, if the live deployment has not changed since you read it. Publishing an older deployment is a rollback: it locks the project, so that the next push does not undo it. It is refused if some pages would become readable for more readers than now, unless `acceptLooser` is set.',
    caller: WRITE,
    params: DeploymentParams,
    body: PublishBody,
    reply: PublicationReply,
    async handle({ caller, params, body, audit }) {
      const { deploymentId } = params
      const service = serviceOf(caller.tenant)
      const publication = await service.publish(deploymentId, body)
      await audit({
        action: 'deployment.publish',
        object: `deployment ${deploymentId}`,
        before: { live: await describeDeployment(service, body.expectedLive) },
        after: {
          live: await describeDeployment(service, deploymentId),
          lockReason: publication.lockReason,
        },
      })
      return publication
    },
  })

/** Returns the number and the message of a deployment for the audit log. */
async function describeDeployment(
  service: DeploymentService,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null
  const { number, message = '' } = await service.get(id, 0)
  return `#${number} ${message.split('\n')[0]}`.trim()
}

const cancelDeployment = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'POST',
    path: `${ONE}/cancel`,
    tag: TAG,
    summary: 'Cancel a deployment',
    description: 'Cancels a deployment that is being uploaded.',
    caller: WRITE,
    params: DeploymentParams,
    reply: Deployment,
    problems: ['conflict', 'gone'],
    async handle({ caller, params, audit }) {
      const done = await serviceOf(caller.tenant).cancel(params.deploymentId)
      await audit({
        action: 'deployment.cancel',
        object: `deployment ${params.deploymentId}`,
      })
      return done
    },
  })

const lockProject = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'POST',
    path: '/v1/projects/:projectId/lock',
    tag: TAG,
    summary: 'Lock a project',
    description: 'While a project is locked, deployments are finished but not published.',
    caller: WRITE,
    params: ProjectParams,
    body: LockBody,
    reply: PublicationReply,
    async handle({ caller, body, audit }) {
      const publication = await serviceOf(caller.tenant).lock(body.reason)
      await audit({ action: 'project.lock', after: { lockReason: body.reason } })
      return publication
    },
  })

const unlockProject = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'POST',
    path: '/v1/projects/:projectId/unlock',
    tag: TAG,
    summary: 'Unlock a project',
    description: 'Deployments are published again, starting with the next one that is finished.',
    caller: WRITE,
    params: ProjectParams,
    reply: PublicationReply,
    async handle({ caller, audit }) {
      const publication = await serviceOf(caller.tenant).lock(null)
      await audit({ action: 'project.unlock' })
      return publication
    },
  })

const sendFile = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'PUT',
    path: '/v1/projects/:projectId/blobs/:sha256',
    tag: TAG,
    summary: 'Send a file',
    description: 'Stores the bytes of one file or run under their SHA-256 digest.',
    caller: WRITE,
    params: BlobParams,
    stream: { type: BYTES, bytesMax: DEPLOYMENT_LIMITS.fileBytes },
    problems: ['unprocessable', 'insufficient-storage'],
    async handle({ caller, params, stream, length }) {
      const { sha256 } = params
      const outcome = await serviceOf(caller.tenant).put({ sha256, size: length }, stream)
      if (outcome !== 'stored') throw digestProblem()
      return undefined
    },
  })

export function digestProblem(): Problem {
  return new Problem('unprocessable', 'The bytes do not match this SHA-256 digest.', {
    param: 'sha256',
  })
}

const sendFiles = (serviceOf: ServiceOf) =>
  defineRoute({
    method: 'POST',
    path: '/v1/projects/:projectId/blobs',
    tag: TAG,
    summary: 'Send many files',
    description:
      'Many small files in one body: for each, 32 bytes of SHA-256, 4 bytes of length (big endian), and its bytes.',
    caller: WRITE,
    params: ProjectParams,
    stream: { type: BYTES, bytesMax: FRAMES_BYTES_MAX },
    reply: BlobsReply,
    problems: ['insufficient-storage'],
    handle: ({ caller, stream, length }) => serviceOf(caller.tenant).putMany(stream, length),
  })
