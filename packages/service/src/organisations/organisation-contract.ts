/** What the API says of organisations as wholes; a part of `contract.ts`. */
import { z } from 'zod'
import { RoleName } from '../members/member-contract.ts'

const OrganisationName = z
  .string()
  .trim()
  .min(1, { error: 'Give the organisation a name.' })
  .max(200)

export const OrganisationReply = z.strictObject({
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
export type OrganisationReply = z.infer<typeof OrganisationReply>

export const OrganisationBody = z.strictObject({ name: OrganisationName })

export const DeleteOrganisationBody = z.strictObject({
  name: z
    .string()
    .meta({ description: 'The name of the organisation, to be sure that this one is meant.' }),
})
