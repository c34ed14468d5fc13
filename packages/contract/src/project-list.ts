/** API schemas for the list of a person's projects. */
import { z } from 'zod'
import { PROTECTIONS } from './access.ts'
import { FailedBuild } from './builds.ts'
import { RoleName } from './members.ts'

/** The states of a project, the most urgent first. If several apply, the first one is shown. */
export const PROJECT_STATES = [
  'failed',
  'suspended',
  'building',
  'locked',
  'offline',
  'live',
  'never',
  'archived',
] as const
export const PROJECT_SORTS = ['attention', 'name', 'deployed', 'gaps'] as const

export const ListedProject = z.strictObject({
  id: z.string().meta({ examples: ['prj_5kbu4k41mpelzrqs'] }),
  name: z.string(),
  slug: z.string(),
  url: z.string().optional(),
  organization: z.strictObject({ id: z.string(), name: z.string() }),
  role: RoleName.meta({ description: 'Your role in the project.' }),
  access: z.enum(PROTECTIONS).meta({ description: 'Who can read the site.' }),
  state: z.enum(PROJECT_STATES).meta({
    description:
      '`failed` until a newer build of the live branch succeeds; `suspended` by the operator; `offline` if no deployment is live; `never` if there is none at all.',
  }),
  building: z.boolean().meta({ description: 'Whether the live branch is being built.' }),
  live: z
    .strictObject({
      id: z.string(),
      number: z.number(),
      message: z.string().optional(),
      author: z.string().optional(),
      publishedAt: z.string().meta({ examples: ['2026-01-31T09:30:00.000Z'] }),
    })
    .nullable()
    .meta({ description: 'The deployment that readers see.' }),
  failedBuild: FailedBuild.nullable(),
  openGaps: z.number(),
})
export type ListedProject = z.infer<typeof ListedProject>

export const ProjectList = z.strictObject({
  projects: z.array(ListedProject),
  total: z.number().meta({ description: 'The number of matching projects.' }),
  first: z
    .number()
    .meta({ description: 'The position of the first project on this page; 0 if there is none.' }),
  counts: z
    .strictObject({
      all: z.number(),
      openGaps: z.number(),
      ...(Object.fromEntries(PROJECT_STATES.map((state) => [state, z.number()])) as Record<
        (typeof PROJECT_STATES)[number],
        z.ZodNumber
      >),
    })
    .meta({
      description:
        'The number of your projects in each state, and the number of projects with open gaps.',
    }),
  nextCursor: z.string().nullable(),
})
export type ProjectList = z.infer<typeof ProjectList>
