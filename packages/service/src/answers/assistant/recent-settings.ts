/**
 * Caches the settings and the answerer of a project, so that they are read at most every two
 * seconds, however many questions arrive.
 */

import type { SiteSettings } from '@octavo/assistant'
import { LRUCache } from 'lru-cache'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { type AnswererChooser, type ChosenAnswerer, EXTRACTIVE } from './choose-answerer.ts'
import { type AssistantSettings, AssistantSettingsStore } from './settings-store.ts'

export type ProjectAnswering = {
  readonly settings: AssistantSettings
  readonly answerer: ChosenAnswerer
}

type AskedDeployment = {
  /** The digest of the deployment whose settings are in `site`. */
  readonly digest: string
  readonly site: SiteSettings
  readonly asksModel: boolean
}

const RECENT_MS = 2_000
const RECENT_MAX = 5_000

export class RecentSettings {
  readonly #chooseAnswerer: AnswererChooser
  readonly #recent: LRUCache<string, Promise<ProjectAnswering>>

  constructor(chooseAnswerer: AnswererChooser, now: () => number) {
    this.#chooseAnswerer = chooseAnswerer
    this.#recent = new LRUCache({ max: RECENT_MAX, ttl: RECENT_MS, perf: { now } })
  }

  read(database: ProjectDatabase, deployment: AskedDeployment): Promise<ProjectAnswering> {
    const { digest, asksModel } = deployment
    const key = `${database.tenant.projectId} ${digest} ${asksModel}`
    const known = this.#recent.get(key)
    if (known !== undefined) return known
    const reading = this.#load(database, deployment)
    this.#recent.set(key, reading)
    // If reading the settings failed, the next question reads them again.
    reading.catch(() => this.#recent.delete(key))
    return reading
  }

  async #load(
    database: ProjectDatabase,
    { site, asksModel }: AskedDeployment,
  ): Promise<ProjectAnswering> {
    const settings = await new AssistantSettingsStore(database).read()
    const isAsked = asksModel && settings.isOn
    const answerer = isAsked ? await this.#chooseAnswerer(database, settings, site) : EXTRACTIVE
    return { settings, answerer }
  }
}
