/** Routes for the usage of a project and its organization in the current month. */
import { OrganizationUsage, type UsageCounts, UsageReply } from '@octavo/contract'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import type { ProjectRouteDeps } from './routes.ts'
import {
  type Days,
  readOrganizationUsage,
  readStorage,
  readUsage,
  type UsageRow,
} from './usage-store.ts'

type UsageRouteDeps = Pick<ProjectRouteDeps, 'databaseOf' | 'readTokens' | 'now'> & {
  readonly database: Database
}

export const usageRoutes = (deps: UsageRouteDeps): readonly Route[] => [
  getUsage(deps),
  getOrganizationUsage(deps),
]

const getUsage = ({ databaseOf, readTokens, now }: UsageRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:projectId/usage',
    tag: 'Projects',
    summary: 'Get usage',
    description:
      'What the project used this month (UTC) and on the same days of the previous month, and what its organization stores.',
    caller: { kind: 'deployToken', scope: 'deploy:read' },
    params: ProjectParams,
    reply: UsageReply,
    async handle({ caller }) {
      const database = databaseOf(caller.tenant)
      const { month, toDate, before } = periodsAt(now())
      const { monthMax } = await readTokens(database)
      return {
        month,
        storage: await readStorage(database),
        toDate: countsOf(await readUsage(database, toDate)),
        before: countsOf(await readUsage(database, before)),
        tokensMax: monthMax,
      }
    },
  })

const getOrganizationUsage = ({ database, now }: UsageRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/organizations/:organizationId/usage',
    tag: 'Organizations',
    summary: 'Get usage of an organization',
    description: 'What each project of the organization used this month (UTC), and what it stores.',
    caller: { kind: 'organization', scope: 'deploy:read' },
    params: z.object({
      organizationId: z.string().meta({ description: 'The id of the organization.' }),
    }),
    query: z.object({}),
    reply: OrganizationUsage,
    async handle({ caller }) {
      const bound = database.forOrganization(caller.organizationId)
      const { month, toDate } = periodsAt(now())
      const projects = await readOrganizationUsage(bound, toDate)
      return {
        month,
        storage: await readStorage(bound),
        projects: projects.map(({ id, name, stored, ...row }) => ({
          id,
          name,
          storedBytes: Number(stored),
          ...countsOf(row),
        })),
      }
    },
  })

const countsOf = (row: UsageRow): UsageCounts => ({
  requests: Number(row.requests),
  sentBytes: Number(row.sent),
  deployments: Number(row.deployments),
  builds: Number(row.builds),
  buildSeconds: Number(row.build_seconds),
  questions: Number(row.questions),
  tokens: Number(row.tokens),
})

/**
 * Returns the month, its days up to today, and as many days of the previous month, which may be
 * shorter.
 */
export function periodsAt(nowMs: number): Readonly<Record<'month' | 'toDate' | 'before', Days>> {
  const today = new Date(nowMs)
  const day = (months: number, date: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, date))
  const print = (date: Date) => date.toISOString().slice(0, 10)
  const tomorrow = today.getUTCDate() + 1
  const first = day(0, 1)
  const until = day(-1, tomorrow)
  return {
    month: { from: print(first), to: print(day(1, 1)) },
    toDate: { from: print(first), to: print(day(0, tomorrow)) },
    before: { from: print(day(-1, 1)), to: print(until < first ? until : first) },
  }
}
