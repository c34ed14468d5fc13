/**
 * Chooses the answerer: the project's model, else the operator's model, else quotes from the
 * documentation.
 */
import { createHash } from 'node:crypto'
import { ModelChoice, type ModelSettings } from '@octavo/contract'
import { type Answerer, answerFromPassages } from '@octavo/search'
import { LRUCache } from 'lru-cache'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import type { SiteSettings } from '../../reading/libraries/site-settings.ts'
import { createModelAnswerer } from './answer/create-model-answerer.ts'
import { TOOL_LIMITS } from './answer/library-tools.ts'
import { ModelClient } from './models/model-client.ts'
import { type AssistantSettings, MODEL_KEY_SECRET } from './settings-store.ts'

export type ChosenAnswerer = {
  readonly answerer: Answerer
  /** Derived from its settings: answerers with the same id return the same answers. */
  readonly id: string
  readonly model: string | undefined
  /** The maximum cost of one answer. */
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
  readonly report: (message: string) => void
}

/** Clients are cached because they remember what a server rejects. */
const CLIENTS_MAX = 500

export function createAnswererChooser(deps: ChooserDeps) {
  const made = new LRUCache<string, ChosenAnswerer>({ max: CLIENTS_MAX })

  function withModel(
    settings: ModelSettings,
    site: SiteSettings,
    allowPrivateHosts: readonly string[],
  ): ChosenAnswerer {
    const { contextTokens, hasTools, model } = settings
    const prompt = {
      siteName: site.name,
      ...(site.instructions !== undefined && { instructions: site.instructions }),
      ...(site.categories !== undefined && { categories: site.categories }),
      contextTokens,
      hasTools,
    }
    const id = createHash('sha256')
      .update(JSON.stringify([settings, prompt, allowPrivateHosts]))
      .digest('base64')
    const known = made.get(id)
    if (known !== undefined) return known
    const client = new ModelClient(settings, { allowPrivateHosts })
    const answerer = createModelAnswerer({ client, settings: prompt, report: deps.report })
    const chosen = { answerer, id, model, tokensMax: tokensMax(settings) }
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
    // The operator's model server may be on a private network.
    const { hostname } = new URL(operatorModel.url)
    return withModel(operatorModel, site, [...allowPrivateHosts, hostname])
  }
}

/** Returns the project's model with its API key. */
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
 * Each request can fill the context, each tool call adds a request, and the first request may be
 * repeated without tools.
 */
function tokensMax({ contextTokens, hasTools }: ModelSettings): number {
  return contextTokens * (hasTools ? TOOL_LIMITS.callsMax + 3 : 1)
}
