import { z } from 'zod'

const STARTER_QUESTIONS_MAX = 3
/** The maximum file size in bytes; a larger file is not read. */
export const SETTINGS_BYTES_MAX = 64 * 1024

/**
 * Written by a build from docs.json. Older deployments lack it and get the defaults; it may also be
 * written by hand, so invalid values get the defaults too.
 */
const SiteSettings = z
  .object({
    enabled: z.boolean().catch(true),
    name: z.string().max(500).catch(''),
    starterQuestions: z
      .array(z.string().max(500))
      .transform((questions) => questions.slice(0, STARTER_QUESTIONS_MAX))
      .catch([]),
    instructions: z.string().max(10_000).optional().catch(undefined),
    categories: z.array(z.string().max(100)).min(1).max(50).optional().catch(undefined),
  })
  .catch({
    enabled: true,
    name: '',
    starterQuestions: [],
    instructions: undefined,
    categories: undefined,
  })
export type SiteSettings = Readonly<z.infer<typeof SiteSettings>>

export function parseSettings(text: string): SiteSettings {
  try {
    return SiteSettings.parse(JSON.parse(text))
  } catch {
    return SiteSettings.parse({})
  }
}
