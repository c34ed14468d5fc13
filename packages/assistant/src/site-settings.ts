import { z } from 'zod'

const STARTER_QUESTIONS_MAX = 3
/** The maximum size of the settings file in bytes. A larger file is not read. */
export const SETTINGS_BYTES_MAX = 64 * 1024

/**
 * The assistant's settings, which a build writes from docs.json. Older deployments do not have
 * them, and anyone can deploy a modified file, so missing and invalid values are replaced by
 * defaults.
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
