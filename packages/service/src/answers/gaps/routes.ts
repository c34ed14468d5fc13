import {
  GAP_SORTS,
  GAP_STATES,
  Gap,
  GapBody,
  GapChange,
  GapForecast,
  GapList,
  GapsBody,
  NewGapBody,
} from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import {
  dateParam,
  filterText,
  ProjectParams,
  pageQuery,
  ulidParam,
  wholeNumber,
} from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { DeploymentParams, READ } from '../../publishing/deployments/routes.ts'
import type { GapService } from './service.ts'
import { SEARCHED_MAX } from './store.ts'

const PATH = '/v1/projects/:projectId/gaps'
const OWNER_READ = { kind: 'adminKey', scope: 'gaps:read' } as const
const OWNER_WRITE = { kind: 'adminKey', scope: 'gaps:write' } as const

const GapParams = ProjectParams.extend({
  gapId: ulidParam('This gap does not exist.').meta({
    description: 'The id of a gap.',
    examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
  }),
})

const ChangeParams = ProjectParams.extend({
  changeId: ulidParam('This change does not exist, or is older than a day.').meta({
    description: 'The id of a change.',
    examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
  }),
})
const statesParam = z.string().transform((text, context) => {
  const parsed = z.array(z.enum(GAP_STATES)).safeParse(text.split(','))
  if (parsed.success) return parsed.data
  context.addIssue({ code: 'custom', message: `Expected ${GAP_STATES.join(', ')}.` })
  return z.NEVER
})
const COUNT_MIN_MAX = 1_000

/** Properties that all routes in this file share. */
const SHARED = { tag: 'Gaps', params: GapParams }
const page = pageQuery('Gaps')

type GapsOf = (tenant: Tenant) => GapService

export const gapRoutes = (gapsOf: GapsOf): readonly Route[] => [
  listGaps(gapsOf),
  addGap(gapsOf),
  changeGaps(gapsOf),
  getGapChange(gapsOf),
  undoGapChange(gapsOf),
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
    description:
      'Questions that the documentation does not answer. Single questions without a real word, such as `asdfgh`, are counted, but not listed.',
    caller: OWNER_READ,
    params: ProjectParams,
    query: z.object({
      cursor: page.cursor,
      state: statesParam.optional().meta({
        description: 'Only gaps in this state, or in one of several, separated by commas.',
        examples: ['open', 'open,linked'],
      }),
      sort: z
        .enum(GAP_SORTS)
        .optional()
        .meta({
          description: 'The order; `-` reverses it. If omitted, the newest gap is first.',
          examples: ['-questions'],
        }),
      noise: z.enum(['only']).optional().meta({
        description: 'Only single questions without a real word, which are hidden otherwise.',
      }),
      min: wholeNumber(COUNT_MIN_MAX)
        .optional()
        .meta({
          description: 'Only gaps with at least this many questions.',
          type: 'integer',
          examples: [2],
        }),
      askedSince: dateParam.optional().meta({
        description:
          'Only gaps with questions asked since this time: `YYYY-MM-DD` or an ISO 8601 timestamp.',
        examples: ['2026-01-31'],
      }),
      q: filterText.meta({
        description: `Part of a question. The newest ${SEARCHED_MAX.toLocaleString('en')} questions of all gaps are searched.`,
      }),
      limit: page.limit,
    }),
    reply: GapList,
    handle: ({ caller, query: { cursor, state, sort, noise, min, askedSince, q: text, limit } }) =>
      gapsOf(caller.tenant).list({
        after: cursor,
        states: state,
        sort,
        isNoise: noise === 'only',
        countMin: min,
        askedSinceMs: askedSince,
        text,
        limit: Math.max(1, limit),
      }),
  })

const addGap = (gapsOf: GapsOf) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: PATH,
    summary: 'Create a gap from a conversation',
    description:
      'Adds a conversation to the gap with the most similar question, or to a new gap, and links a page to the gap if you name one. A conversation that already belongs to a gap stays in that gap.',
    caller: OWNER_WRITE,
    params: ProjectParams,
    body: NewGapBody,
    reply: Gap,
    status: 201,
    problems: ['conflict'],
    async handle({ caller, body, audit }) {
      const gap = await gapsOf(caller.tenant).add(body)
      await audit({ action: 'gap.add', object: `gap ${gap.id}` })
      return gap
    },
  })

const changeGaps = (gapsOf: GapsOf) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: `${PATH}/changes`,
    summary: 'Change several gaps',
    description:
      'Links a page to gaps, verifies, dismisses or reopens them. Returns the change, which can be undone for a day.',
    caller: OWNER_WRITE,
    params: ProjectParams,
    body: GapsBody,
    reply: GapChange,
    status: 201,
    problems: ['conflict'],
    async handle({ caller, body, audit }) {
      const change = await gapsOf(caller.tenant).changeAll(body)
      await audit({ action: `gap.${body.action}`, ...objectOf(change.gaps) })
      return change
    },
  })

const getGapChange = (gapsOf: GapsOf) =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: `${PATH}/changes/:changeId`,
    summary: 'Get a change to gaps',
    description: 'A change made within the last day, and whether it was undone.',
    caller: OWNER_READ,
    params: ChangeParams,
    reply: GapChange,
    handle: ({ caller, params }) => gapsOf(caller.tenant).getChange(params.changeId),
  })

const undoGapChange = (gapsOf: GapsOf) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: `${PATH}/changes/:changeId/undo`,
    summary: 'Undo a change to gaps',
    description:
      'Restores the previous state of the changed gaps. Gaps that were changed again since then stay as they are.',
    caller: OWNER_WRITE,
    params: ChangeParams,
    reply: GapChange,
    problems: ['conflict'],
    async handle({ caller, params, audit }) {
      const change = await gapsOf(caller.tenant).undo(params.changeId)
      await audit({ action: 'gap.undo', ...objectOf(change.gaps) })
      return change
    },
  })

/** Describes the changed gaps for the audit log: the id of a single gap, or the number of gaps. */
const objectOf = (ids: readonly string[]) =>
  ids.length === 1
    ? { object: `gap ${ids[0]}` }
    : { object: `${ids.length} gaps`, after: { gaps: ids } }

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
      'The gaps that a preview deployment likely closes, and the answers that it loses. If the site has the file `octavo-questions.jsonl`, its questions are compared with the live deployment. Returns 404 until the comparison is done, a few seconds after the preview is shown.',
    caller: READ,
    params: DeploymentParams,
    reply: GapForecast,
    handle: ({ caller, params }) => gapsOf(caller.tenant).forecast(params.deploymentId),
  })
