/** Settings that several variables make together; a string is what is wrong with them. */
import { CONTEXT_TOKENS, MODEL_FORMATS, ModelChoice, type ModelSettings } from '@octavo/contract'
import type { VectorSettings } from '../../answers/vectors/text-embedder.ts'
import type { GitHubClient } from '../../publishing/providers/github-app.ts'

type ClientValues = {
  readonly OCTAVO_GITHUB_APP_ID?: string | undefined
  readonly OCTAVO_GITHUB_APP_CLIENT_ID?: string | undefined
  readonly OCTAVO_GITHUB_APP_CLIENT_SECRET?: string | undefined
}

/** How the GitHub App finds out who a person is. */
export function readClient(data: ClientValues): GitHubClient | string | undefined {
  const { OCTAVO_GITHUB_APP_CLIENT_ID: id, OCTAVO_GITHUB_APP_CLIENT_SECRET: secret } = data
  if (id === undefined && secret === undefined) return undefined
  if (id === undefined || secret === undefined)
    return 'OCTAVO_GITHUB_APP_CLIENT_ID and OCTAVO_GITHUB_APP_CLIENT_SECRET belong together: set both or none.'
  if (data.OCTAVO_GITHUB_APP_ID === undefined)
    return 'OCTAVO_GITHUB_APP_CLIENT_ID needs OCTAVO_GITHUB_APP_ID and OCTAVO_GITHUB_APP_KEY.'
  return { id, secret }
}

type ModelValues = {
  readonly OCTAVO_ASSISTANT_URL?: string | undefined
  readonly OCTAVO_ASSISTANT_MODEL?: string | undefined
  readonly OCTAVO_ASSISTANT_KEY?: string | undefined
  readonly OCTAVO_ASSISTANT_FORMAT: string
  readonly OCTAVO_ASSISTANT_CONTEXT_TOKENS?: number | undefined
  readonly OCTAVO_ASSISTANT_TOOLS: boolean
}

/** The model of the operator, for projects that have none of their own. */
export function readModel(data: ModelValues): ModelSettings | string | undefined {
  const { OCTAVO_ASSISTANT_URL: url, OCTAVO_ASSISTANT_MODEL: model } = data
  if (url === undefined && model === undefined) return undefined
  if (url === undefined || model === undefined)
    return 'OCTAVO_ASSISTANT_URL and OCTAVO_ASSISTANT_MODEL belong together: set both or none.'
  const parsed = ModelChoice.safeParse({
    format: data.OCTAVO_ASSISTANT_FORMAT,
    url,
    model,
    contextTokens: data.OCTAVO_ASSISTANT_CONTEXT_TOKENS,
    hasTools: data.OCTAVO_ASSISTANT_TOOLS,
  })
  if (parsed.success) return { ...parsed.data, key: data.OCTAVO_ASSISTANT_KEY }
  switch (parsed.error.issues[0]?.path[0]) {
    case 'format':
      return `OCTAVO_ASSISTANT_FORMAT is ${MODEL_FORMATS.join(' or ')}.`
    case 'contextTokens':
      return `OCTAVO_ASSISTANT_CONTEXT_TOKENS is a whole number from ${CONTEXT_TOKENS.least} to ${CONTEXT_TOKENS.most}, such as ${CONTEXT_TOKENS.default}.`
    case 'model':
      return 'OCTAVO_ASSISTANT_MODEL is the name of a model with up to 200 characters, such as gpt-5-mini.'
    default:
      return 'OCTAVO_ASSISTANT_URL is the URL of a model with up to 500 characters, such as https://api.openai.com/v1.'
  }
}

type VectorValues = {
  readonly OCTAVO_VECTORS: VectorSettings['mode']
  readonly OCTAVO_VECTORS_WEIGHTS?: string | undefined
  readonly OCTAVO_VECTORS_URL?: string | undefined
  readonly OCTAVO_VECTORS_MODEL?: string | undefined
  readonly OCTAVO_VECTORS_KEY?: string | undefined
}

/** Where vectors come from. */
export function readVectors(data: VectorValues): VectorSettings | string {
  const { OCTAVO_VECTORS: mode, OCTAVO_VECTORS_URL: url, OCTAVO_VECTORS_MODEL: model } = data
  if (mode === 'off') return { mode }
  if (mode === 'local') return { mode, weightsFolder: data.OCTAVO_VECTORS_WEIGHTS }
  if (url === undefined || model === undefined)
    return 'OCTAVO_VECTORS=remote needs OCTAVO_VECTORS_URL and OCTAVO_VECTORS_MODEL.'
  const parsed = ModelChoice.safeParse({ format: 'openai', url, model })
  if (parsed.success) return { mode, model: { ...parsed.data, key: data.OCTAVO_VECTORS_KEY } }
  return parsed.error.issues[0]?.path[0] === 'model'
    ? 'OCTAVO_VECTORS_MODEL is the name of a model with up to 200 characters, such as bge-m3.'
    : 'OCTAVO_VECTORS_URL is the URL of an embedding server with up to 500 characters, such as http://127.0.0.1:11434.'
}
