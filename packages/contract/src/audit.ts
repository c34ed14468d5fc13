/** API schemas for the audit log. */
import { z } from 'zod'

export const AuditEntry = z.strictObject({
  id: z.string(),
  at: z.string().meta({ examples: ['2026-01-31T09:30:00.000Z'] }),
  actor: z.string().meta({
    description:
      '`user <id>`, `key <id>`, `operator` for the command line, `provider <id>` for groups of a sign-in provider, `anonymous` for a refused sign-in, `git` for a build from Git, or `service`.',
    examples: ['user usr_5kbu4k41mpelzrqs'],
  }),
  actorName: z.string().optional().meta({
    description: 'The name of the person or key. Missing for people who are no longer members.',
  }),
  action: z.string().meta({ examples: ['key.create'] }),
  object: z.string().meta({
    description: 'What was changed: its kind and id, or an e-mail address for people.',
  }),
  objectName: z.string().optional().meta({
    description: 'The name of the person, key or deployment, if it still exists.',
  }),
  project: z
    .strictObject({ id: z.string(), name: z.string() })
    .optional()
    .meta({ description: 'The project of the entry. Only in the log of an organization.' }),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  network: z
    .string()
    .optional()
    .meta({
      description: 'The network of the client; full addresses are not stored.',
      examples: ['198.51.100.0/24'],
    }),
  requestId: z.string().optional(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditList = z.strictObject({
  entries: z.array(AuditEntry).meta({ description: 'Newest first.' }),
  nextCursor: z.string().nullable(),
})
export type AuditList = z.infer<typeof AuditList>
