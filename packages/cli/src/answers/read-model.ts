import { ModelClient } from '@octavo/assistant'
import { CONTEXT_TOKENS, MODEL_FORMATS, ModelChoice, type ModelSettings } from '@octavo/contract'
import type { CommandContext } from '../context/command-context.ts'

const LIST_MS = 20_000

/**
 * Returns the model at an endpoint, or an error message. The other settings are read from the
 * variables that the service reads, so that a model is measured with the settings that it will
 * have. The API key is never an argument, because arguments appear in process lists.
 */
export async function readModel(
  endpoint: string,
  env: CommandContext['env'],
): Promise<ModelSettings | string> {
  const { OCTAVO_ASSISTANT_CONTEXT_TOKENS: tokens, OCTAVO_ASSISTANT_TOOLS: tools = 'true' } = env
  if (tools !== 'true' && tools !== 'false') return 'OCTAVO_ASSISTANT_TOOLS must be true or false.'
  const written = {
    url: endpoint,
    format: env.OCTAVO_ASSISTANT_FORMAT ?? 'openai',
    contextTokens: tokens === undefined ? undefined : Number(tokens),
    hasTools: tools === 'true',
  }
  const name = env.OCTAVO_ASSISTANT_MODEL
  const parsed = ModelChoice.safeParse({ ...written, model: name ?? 'unknown' })
  if (!parsed.success) return explain(parsed.error.issues[0]?.path[0])
  const model = { ...parsed.data, key: env.OCTAVO_ASSISTANT_KEY }
  return name === undefined ? findOnlyModel(model) : model
}

function explain(field: PropertyKey | undefined): string {
  switch (field) {
    case 'format':
      return `OCTAVO_ASSISTANT_FORMAT must be ${MODEL_FORMATS.join(' or ')}.`
    case 'contextTokens':
      return `OCTAVO_ASSISTANT_CONTEXT_TOKENS must be a whole number from ${CONTEXT_TOKENS.least} to ${CONTEXT_TOKENS.most}.`
    case 'model':
      return 'OCTAVO_ASSISTANT_MODEL must be the name of a model.'
    default:
      return 'Invalid --model: expected the URL of a model server, such as http://127.0.0.1:8080.'
  }
}

/** Returns the settings with the name of the only model of a server. */
async function findOnlyModel(model: ModelSettings): Promise<ModelSettings | string> {
  const client = connectModel(model)
  const listed = await client.listModels(AbortSignal.timeout(LIST_MS)).catch(() => undefined)
  const ids = listed?.kind === 'models' ? listed.ids : []
  const [only] = ids
  if (only !== undefined && ids.length === 1) return { ...model, model: only }
  const reason =
    listed?.kind === 'failed' ? listed.failure.message : `The server lists ${ids.length} models.`
  return `Set OCTAVO_ASSISTANT_MODEL to the name of the model. ${reason}`
}

/** The user who names a host may connect to it, even on a private network. */
export function connectModel(model: ModelSettings): ModelClient {
  return new ModelClient(model, { allowPrivateHosts: [new URL(model.url).hostname] })
}

/** Returns true if anyone on the network between here and the server can read what is sent. */
export function isUnencrypted({ url }: Pick<ModelSettings, 'url'>): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(?:127\.[\d.]+|localhost|\[::1\])$/.test(hostname)
}
