/**
 * Chooses what answers a question: the project's model, or else the operator's model, or else
 * quotes from the documentation.
 */
import { createHash } from 'node:crypto'
import {
  type AnswerFailure,
  createModelAnswerer,
  ModelClient,
  promptSettings,
  type SiteSettings,
  TOOL_LIMITS,
} from '@octavo/assistant'
import { ModelChoice, type ModelSettings } from '@octavo/contract'
import { type Answerer, answerFromPassages } from '@octavo/search'
import { LRUCache } from 'lru-cache'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { type AssistantSettings, MODEL_KEY_SECRET } from './settings-store.ts'

export type ChosenAnswerer = {
  readonly answerer: Answerer
  /** A digest of the settings. Answerers with the same id return the same answers. */
  readonly id: string
  readonly model: string | undefined
  /** The maximum number of tokens that one answer can cost. */
  readonly tokensMax: number
}

export const EXTRACTIVE: ChosenAnswerer = {
  answerer: answerFromPassages,
  id: 'passages',
  model: undefined,
  tokensMax: 0,
}

export type ChooserDeps = {
  readonly secretKeys: readonly SecretKey[]
  readonly allowPrivateHosts: readonly string[]
  readonly operatorModel: ModelSettings | undefined
  readonly report: (failure: AnswerFailure) => void
}

/** Clients are cached because they remember what their server has rejected. */
const CLIENTS_MAX = 500

export function createAnswererChooser(deps: ChooserDeps) {
  const made = new LRUCache<string, ChosenAnswerer>({ max: CLIENTS_MAX })

  function withModel(
    settings: ModelSettings,
    site: SiteSettings,
    allowPrivateHosts: readonly string[],
  ): ChosenAnswerer {
    const prompt = promptSettings(settings, site)
    const id = createHash('sha256')
      .update(JSON.stringify([settings, prompt, allowPrivateHosts]))
      .digest('base64')
    const known = made.get(id)
    if (known !== undefined) return known
    const client = new ModelClient(settings, { allowPrivateHosts })
    const answerer = createModelAnswerer({ client, settings: prompt, report: deps.report })
    const chosen = { answerer, id, model: settings.model, tokensMax: tokensMax(settings) }
    made.set(id, chosen)
    return chosen
  }

  return async function choose(
    database: ProjectDatabase,
    settings: AssistantSettings,
    site: SiteSettings,
  ): Promise<ChosenAnswerer> {
    const { allowPrivateHosts, operatorModel } = deps
    const own = await readOwnModel(database, settings, deps.secretKeys)
    if (own !== undefined) return withModel(own, site, allowPrivateHosts)
    if (operatorModel === undefined) return EXTRACTIVE
    // Unlike the models of projects, the operator's model may be on a private network.
    const { hostname } = new URL(operatorModel.url)
    return withModel(operatorModel, site, [...allowPrivateHosts, hostname])
  }
}

/**
 * Returns the settings of the project's model and its API key; undefined if the project has none.
 */
export async function readOwnModel(
  database: ProjectDatabase,
  { model }: AssistantSettings,
  secretKeys: readonly SecretKey[],
): Promise<ModelSettings | undefined> {
  if (model === undefined) return undefined
  const secrets = secretKeys.length > 0 && createSecretStore(database, createKeyRing(secretKeys))
  const key = secrets ? await secrets.read(MODEL_KEY_SECRET) : undefined
  return { ...ModelChoice.parse(model), key }
}

export type AnswererChooser = ReturnType<typeof createAnswererChooser>

/**
 * Returns the maximum number of tokens that one answer can cost. Each request can fill the context,
 * each tool call adds a request, and the first request may be sent again without tools.
 */
function tokensMax({ contextTokens, hasTools }: ModelSettings): number {
  return contextTokens * (hasTools ? TOOL_LIMITS.callsMax + 3 : 1)
}
