import { GAP_STATES, Gap, GapBody, GapForecast, GapList } from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import { ProjectParams, pageQuery, ulidParam } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { DeploymentParams, READ } from '../../publishing/deployments/routes.ts'
import type { GapService } from './service.ts'

const PATH = '/v1/projects/:projectId/gaps'
const OWNER_READ = { kind: 'adminKey', scope: 'gaps:read' } as const
const OWNER_WRITE = { kind: 'adminKey', scope: 'gaps:write' } as const

const GapParams = ProjectParams.extend({
  gapId: ulidParam('This gap does not exist.').meta({
    description: 'The id of a gap.',
    examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
  }),
})

/** Defaults for all routes in this file. */
const SHARED = { tag: 'Gaps', params: GapParams }
const page = pageQuery('Gaps')

type GapsOf = (tenant: Tenant) => GapService

export const gapRoutes = (gapsOf: GapsOf): readonly Route[] => [
  listGaps(gapsOf),
  getGap(gapsOf),
  changeGap(gapsOf),
  compareDeployment(gapsOf),
]

const listGaps = (gapsOf: GapsOf) =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: PATH,
    summary: 'List gaps',
    description: 'Questions that the documentation does not answer, the newest gap first.',
    caller: OWNER_READ,
    params: ProjectParams,
    query: z.object({
      cursor: page.cursor,
      state: z.enum(GAP_STATES).optional().meta({ description: 'Only gaps in this state.' }),
      limit: page.limit,
    }),
    reply: GapList,
    handle: ({ caller, query: { cursor, state, limit } }) =>
      gapsOf(caller.tenant).list({
        before: cursor,
        states: state && [state],
        limit: Math.max(1, limit),
      }),
  })

const getGap = (gapsOf: GapsOf) =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: `${PATH}/:gapId`,
    summary: 'Get a gap',
    description: 'One gap, with its newest questions.',
    caller: OWNER_READ,
    reply: Gap,
    handle: ({ caller, params }) => gapsOf(caller.tenant).get(params.gapId),
  })

const changeGap = (gapsOf: GapsOf) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: `${PATH}/:gapId`,
    summary: 'Change a gap',
    description:
      'Links a page to a gap, verifies that the live site answers it, dismisses it, or opens it again.',
    caller: OWNER_WRITE,
    body: GapBody,
    reply: Gap,
    problems: ['conflict'],
    async handle({ caller, params, body, audit }) {
      const gap = await gapsOf(caller.tenant).change(params.gapId, body)
      await audit({ action: `gap.${body.action}`, object: `gap ${params.gapId}` })
      return gap
    },
  })

const compareDeployment = (gapsOf: GapsOf) =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: '/v1/projects/:projectId/deployments/:deploymentId/gaps',
    summary: 'Compare a deployment with the gaps',
    description:
      'The gaps that a preview deployment likely closes, and the answers that it loses. Returns 404 until the comparison is done, a few seconds after the preview is shown.',
    caller: READ,
    params: DeploymentParams,
    reply: GapForecast,
    handle: ({ caller, params }) => gapsOf(caller.tenant).forecast(params.deploymentId),
  })
