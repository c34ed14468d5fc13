import { hasScope, Overview, ProjectSettingsBody, ProjectSettingsReply } from '@octavo/contract'
import { z } from 'zod'
import { isSlugTaken, reservedSlugText } from '../../people/organizations/slugs.ts'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import type { ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import { makeOverview } from './overview.ts'
import { OverviewStore, TOP_QUESTIONS_OF } from './overview-store.ts'
import {
  type OwnSettings,
  ReservedSlugError,
  SettingsStore,
  SLUGS_MAX,
  TooManySlugsError,
} from './settings-store.ts'

const TAG = 'Projects'
const PATH = '/v1/projects/:projectId/settings'
const CALLER = { kind: 'adminKey', scope: 'project:write' } as const

/** The tokens that the assistant used this month, and its budget. */
type TokenUse = { readonly month: number; readonly monthMax: number | null }

export type ProjectRouteDeps = {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
  readonly readTokens: (database: ProjectDatabase) => Promise<TokenUse>
  /** Returns what is wrong with a trusted repository; undefined if it can be stored. */
  readonly findTrustProblem: (text: string) => string | undefined
  readonly now: () => number
}

export const projectRoutes = (deps: ProjectRouteDeps): readonly Route[] => [
  getOverview(deps),
  getSettings(deps),
  changeSettings(deps),
]

const getOverview = ({ databaseOf, readTokens, now }: ProjectRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:projectId/overview',
    tag: TAG,
    summary: 'Get an overview',
    description: `Questions, answers, deployments, gaps and tokens of the last days, a failed build, and what needs attention. Days are in UTC, and the last day is today. Top questions are the most frequent of the newest ${TOP_QUESTIONS_OF.toLocaleString('en')} questions of these days; they require the scope \`analytics:read\`.`,
    caller: { kind: 'adminKey', scope: 'gaps:read' },
    params: ProjectParams,
    query: z.object({
      days: z
        .enum(['7', '30', '90'])
        .default('30')
        .transform(Number)
        .meta({ description: 'How many days.' }),
    }),
    reply: Overview,
    async handle({ caller, query: { days: dayCount } }) {
      const database = databaseOf(caller.tenant)
      const store = new OverviewStore(database)
      const tokens = await readTokens(database)
      const questions = hasScope(caller.scopes, 'analytics:read')
        ? await store.newestQuestions(dayCount)
        : []
      const facts = await store.read(dayCount)
      const seesFeedback = hasScope(caller.scopes, 'feedback:read')
      return makeOverview(facts, { dayCount, questions, tokens, seesFeedback, nowMs: now() })
    },
  })

const getSettings = ({ databaseOf }: ProjectRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'Get settings',
    description:
      'The project settings that the service stores. The settings of its site are in docs.json.',
    caller: CALLER,
    params: ProjectParams,
    reply: ProjectSettingsReply,
    handle: async ({ caller }) =>
      showSettings(await new SettingsStore(databaseOf(caller.tenant)).read()),
  })

const changeSettings = ({ databaseOf, findTrustProblem }: ProjectRouteDeps) =>
  defineRoute({
    method: 'PUT',
    path: PATH,
    tag: TAG,
    summary: 'Change settings',
    description:
      'Changes only the settings in the body. A new slug changes the address of the site: the old address redirects, and no other project can use it. If you lower the retention, older conversations are permanently deleted within an hour.',
    caller: CALLER,
    params: ProjectParams,
    body: ProjectSettingsBody,
    reply: ProjectSettingsReply,
    problems: ['conflict'],
    async handle({ caller, body, clientAddress }) {
      for (const one of body.trust ?? []) {
        const problem = findTrustProblem(one)
        if (problem !== undefined) throw new Problem('invalid-request', problem, { param: 'trust' })
      }
      const store = new SettingsStore(databaseOf(caller.tenant))
      const change = store.change(body, requesterOf({ caller, clientAddress }))
      return showSettings(await change.catch((error: unknown) => refuseTaken(error, body.slug)))
    },
  })

function refuseTaken(error: unknown, slug: string | undefined): never {
  if (error instanceof TooManySlugsError)
    throw new Problem(
      'conflict',
      `A project keeps its old slugs, and can have at most ${SLUGS_MAX} in total. Choose one of the old ones.`,
      { param: 'slug' },
    )
  if (error instanceof ReservedSlugError)
    throw new Problem('invalid-request', reservedSlugText(slug ?? ''), { param: 'slug' })
  if (!isSlugTaken(error)) throw error
  const detail = `The slug \`${slug}\` belongs or once belonged to another project. Choose another.`
  throw new Problem('conflict', detail, { param: 'slug' })
}

function showSettings(own: OwnSettings): ProjectSettingsReply {
  const { playgroundProxy, failOn, webhook, webhookFormat, webhookAttempt, trust } = own.settings
  return {
    id: own.publicId,
    name: own.name,
    slug: own.slug,
    archived: own.isArchived,
    retentionDays: own.retentionDays,
    playgroundProxy: playgroundProxy ?? false,
    failOn: failOn ?? null,
    ...(webhook && { webhook, webhookFormat: webhookFormat ?? 'standard' }),
    ...(webhook && webhookAttempt && { webhookAttempt }),
    trust: [...(trust ?? [])],
  }
}
