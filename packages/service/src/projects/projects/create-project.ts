/** Creates projects for members of an organization. */
import { CreatedProject, NewProjectBody } from '@octavo/contract'
import { z } from 'zod'
import {
  ORGANIZATION_LIMITS,
  requireProjectQuota,
} from '../../people/organizations/organization-limits.ts'
import {
  isReservedSlug,
  isSlugTaken,
  reservedSlugText,
  slugOf,
} from '../../people/organizations/slugs.ts'
import { type Requester, requesterOf } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { BoundDatabase, Database } from '../../platform/database/database.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import { createPublicId } from '../../platform/public-id.ts'
import type { ProjectRow } from './store.ts'

export const newProjectRoutes = (database: Database): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/organizations/:organizationId/projects',
    tag: 'Projects',
    summary: 'Create a project',
    description: `Creates a project. Without a slug, one is created from the name. An organization can have ${ORGANIZATION_LIMITS.projects} projects, and ${ORGANIZATION_LIMITS.projectsPerHour} new ones per hour.`,
    caller: { kind: 'organization', scope: 'project:write' },
    params: z.object({
      organizationId: z.string().meta({ description: 'The id of the organization.' }),
    }),
    body: NewProjectBody,
    reply: CreatedProject,
    status: 201,
    problems: ['conflict'],
    async handle({ caller, body: { name, slug }, clientAddress }) {
      const bound = database.forOrganization(caller.organizationId)
      const change = requesterOf({ caller, clientAddress })
      const made =
        (await createProject(bound, { name, slug: slug ?? slugOf(name) }, change)) ??
        (slug === undefined
          ? await createProject(bound, { name, slug: slugOf(name, { unique: true }) }, change)
          : undefined)
      if (made === undefined) {
        const param = 'slug'
        if (slug !== undefined && isReservedSlug(slug))
          throw new Problem('invalid-request', reservedSlugText(slug), { param })
        throw new Problem('conflict', `The slug \`${slug}\` is taken. Choose another one.`, {
          param,
        })
      }
      return { id: made.public_id, name: made.name, slug: made.slug }
    },
  }),
]

type MadeProject = Pick<ProjectRow, 'id' | 'public_id' | 'name' | 'slug'>

/**
 * Creates a project. Returns undefined if the slug is taken or reserved. Throws if the organization
 * has too many projects.
 */
export async function createProject(
  bound: BoundDatabase,
  { name, slug }: { readonly name: string; readonly slug: string },
  change: Requester,
): Promise<MadeProject | undefined> {
  if (isReservedSlug(slug)) return undefined
  const create = bound.transaction(async (query) => {
    await requireProjectQuota(query)
    const [project] = await query<MadeProject>(
      `insert into project (organization_id, public_id, slug, name)
       values (current_organization(), $1, $2, $3) on conflict (slug) do nothing
       returning id::text, public_id, name, slug`,
      [createPublicId('prj'), slug, name],
    )
    if (project === undefined) return undefined
    await query(`select set_config('octavo.project_id', $1, true)`, [project.id])
    await query('insert into conversation_sequence (project_id) values (current_project())')
    await insertAudit(query, {
      ...change,
      action: 'project.create',
      object: project.public_id,
      after: { name, slug },
    })
    return project
  })
  return create.catch((error: unknown) => {
    // Another project has or had this slug.
    if (isSlugTaken(error)) return undefined
    throw error
  })
}
