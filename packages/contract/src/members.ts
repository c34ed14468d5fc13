/** API schemas for people and their roles. */
import { z } from 'zod'
import { displayName } from './display-name.ts'
import { Slug } from './projects.ts'
import { ROLES } from './roles.ts'

const INSTANT = '2026-01-31T09:30:00.000Z'
const PROJECT_ID = 'prj_5kbu4k41mpelzrqs'

export const RoleName = z.enum(ROLES)

/** A person with their roles in an organization and its projects. */
export const Member = z.strictObject({
  id: z.string().meta({ examples: ['usr_5kbu4k41mpelzrqs'] }),
  name: z.string(),
  email: z.string(),
  role: RoleName.nullable().meta({
    description: 'The role in the organization, which applies to all of its projects.',
  }),
  projects: z.array(z.strictObject({ id: z.string(), role: RoleName })).meta({
    description: 'Roles in single projects. The higher of the two roles applies.',
  }),
})
export type Member = z.infer<typeof Member>

export const MemberList = z.strictObject({
  members: z.array(Member),
  nextCursor: z.string().nullable(),
})
export type MemberList = z.infer<typeof MemberList>

export const MemberBody = z.strictObject({
  role: RoleName.nullable().meta({ description: 'Null removes the role.' }),
  project: z
    .string()
    .optional()
    .meta({
      description: 'The project that the role is for; if omitted, the role is in the organization.',
      examples: [PROJECT_ID],
    }),
})

export const Invitation = z.strictObject({
  id: z.string(),
  email: z.string(),
  role: RoleName,
  project: z.string().optional(),
  invitedBy: z.string(),
  createdAt: z.string().meta({ examples: [INSTANT] }),
  expiresAt: z.string(),
})
export type Invitation = z.infer<typeof Invitation>

export const InvitationList = z.strictObject({ invitations: z.array(Invitation) })
export type InvitationList = z.infer<typeof InvitationList>

export const InvitationBody = z.strictObject({
  email: z.email().max(254).toLowerCase(),
  role: RoleName,
  project: z.string().optional(),
})

export const CreatedInvitation = Invitation.extend({
  url: z.string().optional().meta({
    description:
      'The link to send, shown only once. Present only if the service cannot send e-mail.',
  }),
})
export type CreatedInvitation = z.infer<typeof CreatedInvitation>

/** The signed-in person with their organizations and projects. */
export const Me = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  organizations: z.array(
    z.strictObject({
      id: z.string().meta({ examples: ['org_5kbu4k41mpelzrqs'] }),
      name: z.string(),
      role: RoleName.nullable(),
      projects: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          slug: z.string(),
          role: RoleName,
          archived: z.boolean(),
        }),
      ),
    }),
  ),
})
export type Me = z.infer<typeof Me>

export const SessionList = z.strictObject({
  sessions: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['browser', 'command-line']),
      current: z.boolean(),
      device: z.string(),
      network: z.string().optional(),
      createdAt: z.string(),
      lastSeenAt: z.string(),
      expiresAt: z.string(),
    }),
  ),
})
export type SessionList = z.infer<typeof SessionList>

export const NewProjectBody = z.strictObject({
  name: displayName('Give the project a name.'),
  slug: Slug.optional(),
})

export const CreatedProject = z.strictObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
})
export type CreatedProject = z.infer<typeof CreatedProject>
