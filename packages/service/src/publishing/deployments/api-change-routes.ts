import { ApiChangesReply, hasScope, SpecificationFiles } from '@octavo/contract'
import type { Tenant } from '../../platform/database/database.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import type { ApiChanges } from './api-changes.ts'
import { DeploymentParams, READ, TAG, WRITE } from './routes.ts'

type ChangesOf = (tenant: Tenant) => ApiChanges

export const apiChangeRoutes = (changesOf: ChangesOf): readonly Route[] => [
  getApiChanges(changesOf),
  listSpecifications(changesOf),
]

const ONE = '/v1/projects/:projectId/deployments/:deploymentId'

const getApiChanges = (changesOf: ChangesOf) =>
  defineRoute({
    method: 'GET',
    path: `${ONE}/api-changes`,
    tag: TAG,
    summary: 'Get changes of the API',
    description:
      'How the specifications of a deployment differ from those of the deployment that was live when it was finished. They are compared in the background, usually within seconds.',
    caller: READ,
    params: DeploymentParams,
    reply: ApiChangesReply,
    handle: ({ caller, params }) =>
      changesOf(caller.tenant).changes(params.deploymentId, {
        seesRestricted: hasScope(caller.scopes, 'deploy:write'),
      }),
  })

const listSpecifications = (changesOf: ChangesOf) =>
  defineRoute({
    method: 'GET',
    path: `${ONE}/specifications`,
    tag: TAG,
    summary: 'List specifications',
    description:
      'The specifications of a finished deployment, also those that readers may not see; so it requires the scope `deploy:write`. Returns 422 if they are larger than 32 MiB.',
    caller: WRITE,
    params: DeploymentParams,
    reply: SpecificationFiles,
    problems: ['conflict', 'unprocessable'],
    // Each call reads all specifications.
    limit: { action: 'specifications', perHour: 600 },
    handle: ({ caller, params }) => changesOf(caller.tenant).specifications(params.deploymentId),
  })
