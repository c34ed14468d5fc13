/** API schemas for updates in the API that is compatible with Mintlify's. */
import { z } from 'zod'
import { storedText } from './stored-text.ts'

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T12:00:00.000Z'

export const UpdateStatus = z.strictObject({
  _id: z.string().meta({ examples: [ID] }),
  projectId: z.string().meta({ examples: ['prj_5kbu4k41mpelzrqs'] }),
  createdAt: z.string().meta({ examples: [INSTANT] }),
  endedAt: z.string().nullable(),
  status: z.enum(['queued', 'in_progress', 'success', 'failure', 'skipped']),
  summary: z.string(),
  logs: z.array(z.string()).meta({ description: 'The last lines of the log of a build.' }),
  subdomain: z.string().meta({ description: 'The slug of the project.' }),
  commit: z.strictObject({
    sha: z.string().nullable(),
    ref: z.string().nullable().meta({ description: 'The branch.' }),
    message: z.string().nullable(),
  }),
  source: z.enum(['api']),
})
export type UpdateStatus = z.infer<typeof UpdateStatus>

export const StartedUpdate = z.strictObject({
  statusId: z.string().meta({
    description: 'The id with which to read the status.',
    examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
  }),
})

export const PreviewBody = z.strictObject({
  branch: storedText(250).min(1).meta({ description: 'The branch to build.' }),
})
