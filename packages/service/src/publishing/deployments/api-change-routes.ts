import { SpecificationFiles } from '@octavo/contract'
import type { Tenant } from '../../platform/database/database.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import type { ApiChanges } from './api-changes.ts'
import { DeploymentParams, TAG, WRITE } from './routes.ts'

type ChangesOf = (tenant: Tenant) => ApiChanges

export const apiChangeRoutes = (changesOf: ChangesOf): readonly Route[] => [
  listSpecifications(changesOf),
]

const listSpecifications = (changesOf: ChangesOf) =>
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:projectId/deployments/:deploymentId/specifications',
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
