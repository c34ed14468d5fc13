/** Settings and answerer of a project, read at most every other second however many questions come. */
import { LRUCache } from 'lru-cache'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { SiteSettings } from '../../reading/libraries/site-settings.ts'
import { type AnswererChooser, type ChosenAnswerer, EXTRACTIVE } from './choose-answerer.ts'
import { type AssistantSettings, AssistantSettingsStore } from './settings-store.ts'

export type ProjectAnswering = {
  readonly settings: AssistantSettings
  readonly answerer: ChosenAnswerer
}

const RECENT_MS = 2_000
const RECENT_MAX = 5_000

export function createRecentSettings(chooseAnswerer: AnswererChooser, now: () => number) {
  const recent = new LRUCache<string, Promise<ProjectAnswering>>({
    max: RECENT_MAX,
    ttl: RECENT_MS,
    perf: { now },
  })

  async function read(
    database: ProjectDatabase,
    site: SiteSettings,
    asksModel: boolean,
  ): Promise<ProjectAnswering> {
    const settings = await new AssistantSettingsStore(database).read()
    const isAsked = asksModel && settings.isOn
    const answerer = isAsked ? await chooseAnswerer(database, settings, site) : EXTRACTIVE
    return { settings, answerer }
  }

  return (
    database: ProjectDatabase,
    deployment: {
      /** The digest of the deployment that `site` is of. */
      readonly digest: string
      readonly site: SiteSettings
      readonly asksModel: boolean
    },
  ): Promise<ProjectAnswering> => {
    const { digest, site, asksModel } = deployment
    const key = `${database.tenant.projectId} ${digest} ${asksModel}`
    const known = recent.get(key)
    if (known !== undefined) return known
    const reading = read(database, site, asksModel)
    recent.set(key, reading)
    // The next question tries again.
    reading.catch(() => recent.delete(key))
    return reading
  }
}
