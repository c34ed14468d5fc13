/** API schemas for builds. */
import { z } from 'zod'

const ID = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
const INSTANT = '2026-01-31T09:30:00.000Z'

export const BUILD_STATES = [
  'queued',
  'fetching',
  'building',
  'uploading',
  'finished',
  'failed',
  'skipped',
  'superseded',
  'cancelled',
] as const

export const Build = z.strictObject({
  id: z.string().meta({ description: 'ULID.', examples: [ID] }),
  number: z.number().meta({
    description:
      'The position in the order in which pushes were accepted. The deployment of the build has the same number.',
  }),
  state: z.enum(BUILD_STATES).meta({
    description:
      '`superseded` when a newer commit of the same branch was pushed before the build finished; `skipped` when the push does not change the site.',
  }),
  target: z.enum(['production', 'preview']),
  ref: z.string().meta({
    description: 'The branch, or `pull/<number>` for a pull request from a fork.',
    examples: ['main'],
  }),
  commit: z.string().meta({ examples: ['4f1c9a7e0b5d2c3f8a6e1d9b7c5a3f2e1d0c9b8a'] }),
  message: z.string().optional(),
  author: z.string().optional(),
  pullRequest: z.number().optional(),
  fork: z.boolean(),
  trigger: z.enum(['webhook', 'check', 'api', 'schedule', 'retry']),
  reason: z.string().optional().meta({ description: 'The reason for the final state.' }),
  notifyError: z.string().optional().meta({
    description:
      'Why the status could not be reported to the Git host, for example because a permission is missing.',
  }),
  errors: z.number(),
  warnings: z.number(),
  deployment: z.string().optional().meta({ description: 'The id of its deployment.' }),
  createdAt: z.string().meta({ examples: [INSTANT] }),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
})
export type Build = z.infer<typeof Build>

/** The newest failed build of the live branch, until a newer build succeeds. */
export const FailedBuild = z.strictObject({
  id: z.string().meta({ examples: [ID] }),
  number: z.number(),
  branch: z.string(),
  message: z.string().optional(),
  author: z.string().optional(),
  errors: z.number(),
  finishedAt: z.string().meta({ examples: [INSTANT] }),
})
export type FailedBuild = z.infer<typeof FailedBuild>

export const BuildList = z.strictObject({
  builds: z.array(Build),
  nextCursor: z.string().nullable(),
})
export type BuildList = z.infer<typeof BuildList>

export const BuildLogLine = z.strictObject({
  line: z.number().meta({ description: 'Counts from 1.' }),
  at: z.string().meta({ examples: [INSTANT] }),
  text: z.string(),
})
export type BuildLogLine = z.infer<typeof BuildLogLine>

const Place = z.looseObject({
  file: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
})

export const BuildDiagnostics = z.strictObject({
  counts: z.strictObject({ error: z.number(), warning: z.number() }),
  files: z
    .string()
    .optional()
    .meta({
      description:
        'The URL at which the repository host shows the files of the commit, if it has one. Append the path of a file, and `#L` with a line number.',
      examples: ['https://github.com/owner/name/blob/9d2e7f4/docs/'],
    }),
  diagnostics: z
    .array(
      z.looseObject({
        code: z.string(),
        severity: z.string(),
        message: z.string().optional(),
        hint: z.string().optional(),
        place: Place.optional(),
        related: z
          .array(z.looseObject({ place: Place.optional(), message: z.string().optional() }))
          .optional(),
      }),
    )
    .meta({ description: 'In the format of `octavo check --json`; the first thousand only.' }),
})
export type BuildDiagnostics = z.infer<typeof BuildDiagnostics>
