/** Lists the projects of a person. By default, those that need attention come first. */
import {
  type FailedBuild,
  PROJECT_SORTS,
  PROJECT_STATES,
  PROTECTIONS,
  ProjectList,
} from '@octavo/contract'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { filterText, pageQuery } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { type BuildFacts, type ListedRow, type ListPlace, listProjects } from './list-store.ts'

export type ProjectListDeps = {
  readonly database: Database
  /** Returns the URL of a project's site; undefined if no sites are served. */
  readonly siteUrlOf: (slug: string) => string | undefined
}

const Place = z.tuple([z.int32(), z.number(), z.string(), z.string()])

const placeCursor = z
  .string()
  .max(2_000)
  .transform((text, context): ListPlace => {
    const place = Place.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
    if (place.success && place.data.every((value) => !String(value).includes('\0')))
      return place.data
    context.addIssue({
      code: 'custom',
      message: 'Expected the `nextCursor` of an earlier response.',
    })
    return z.NEVER
  })

const printCursor = (place: ListPlace) => Buffer.from(JSON.stringify(place)).toString('base64url')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const projectListRoutes = ({ database, siteUrlOf }: ProjectListDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/projects',
    tag: 'Projects',
    summary: 'List projects',
    description:
      'The projects in which you have a role: what readers see, a failed build, and open gaps. Those that need attention come first.',
    caller: { kind: 'person' },
    params: z.object({}),
    query: z.object({
      q: filterText.meta({ description: 'A part of the name, the slug or the custom domain.' }),
      state: z.enum(PROJECT_STATES).optional().meta({
        description: 'Only projects in this state.',
      }),
      access: z.enum(PROTECTIONS).optional().meta({
        description: 'Only projects whose site has this access mode.',
      }),
      organization: filterText.meta({
        description: 'Only projects of the organization with this id.',
      }),
      gaps: z.enum(['open']).optional().meta({ description: 'Only projects with open gaps.' }),
      sort: z.enum(PROJECT_SORTS).default('attention').meta({
        description:
          '`attention`: failed builds first. `deployed`: the last deployment first. `gaps`: the most open gaps first.',
      }),
      cursor: placeCursor.optional().meta({
        description: '`nextCursor` of the previous page, with the same `sort`.',
      }),
      limit: pageQuery('Projects').limit,
    }),
    reply: ProjectList,
    formats: ['application/json'],
    async handle({ caller: { person }, query }) {
      const { q: text, state, access, organization, gaps, sort, cursor } = query
      const limit = Math.max(1, query.limit)
      const filter = { text, state, access, organization, hasGaps: gaps !== undefined }
      const wanted = { filter, sort, after: cursor, limit: limit + 1 }
      const { rows, total, counts } = await listProjects(database, person.userId, wanted)
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return {
        projects: page.map((row) => showListed(row, siteUrlOf)),
        total,
        first: page[0]?.position ?? 0,
        counts,
        nextCursor: rows.length > limit && last !== undefined ? printCursor(last.place) : null,
      }
    },
  }),
]

function showListed(
  row: ListedRow,
  siteUrlOf: ProjectListDeps['siteUrlOf'],
): ProjectList['projects'][number] {
  const { id, name, slug, isBuilding, live, failedBuild, domain } = row.facts
  const url = domain === null ? siteUrlOf(slug) : `https://${domain}`
  return {
    id,
    name,
    slug,
    ...(url !== undefined && { url }),
    organization: { id: row.organization, name: row.organization_name },
    role: row.role,
    access: row.access,
    state: row.state,
    building: isBuilding,
    live: live && {
      id: live.id,
      number: live.number,
      ...namesOf(live),
      publishedAt: isoOf(live.publishedAt),
    },
    failedBuild: failedBuild && showFailedBuild(failedBuild),
    openGaps: row.open_gaps,
  }
}

export function showFailedBuild(build: BuildFacts): FailedBuild {
  const { id, number, branch, errors, finishedAt } = build
  return { id, number, branch, ...namesOf(build), errors, finishedAt: isoOf(finishedAt) }
}

const namesOf = ({ message, author }: Pick<BuildFacts, 'message' | 'author'>) => ({
  ...(message !== null && { message }),
  ...(author !== null && { author }),
})

const isoOf = (instant: string) => new Date(instant).toISOString()
