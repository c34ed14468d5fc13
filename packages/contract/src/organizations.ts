/** API schemas for organizations. */
import { z } from 'zod'
import { displayName } from './display-name.ts'
import { RoleName } from './members.ts'

export const OrganizationReply = z.strictObject({
  id: z.string().meta({ examples: ['org_5kbu4k41mpelzrqs'] }),
  name: z.string(),
  role: RoleName.meta({ description: 'Your role.' }),
  projects: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      slug: z.string(),
      archived: z.boolean(),
    }),
  ),
})
export type OrganizationReply = z.infer<typeof OrganizationReply>

export const OrganizationBody = z.strictObject({
  name: displayName('Give the organization a name.'),
})

export const DeleteOrganizationBody = z.strictObject({
  name: z.string().meta({ description: 'The name of the organization, as a confirmation.' }),
})
