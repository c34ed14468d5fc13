/** Calls whose answer is one JSON document: the list of models, and embeddings. */
import { text } from 'node:stream/consumers'
import type { ModelSettings } from '@octavo/contract'
import { z } from 'zod'
import type { ModelFailure } from './chat.ts'
import type { createSender, ModelLimits, ModelRequest } from './send-to-model.ts'
import { watchTime } from './watch-time.ts'

export type JsonCalls = {
  readonly listModels: (signal: AbortSignal) => Promise<Listed | Failed>
  /** The vectors of texts, in their order, all of one length. */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<Embedded | Failed>
}

type Listed = { readonly kind: 'models'; readonly ids: readonly string[] }
type Embedded = { readonly kind: 'vectors'; readonly vectors: readonly (readonly number[])[] }
type Failed = { readonly kind: 'failed'; readonly failure: ModelFailure }

/** Servers have different limits; this one they all take. */
const TEXTS_PER_CALL = 32
const DIMENSIONS_MAX = 8_192
const MODELS_MAX = 10_000

const ModelList = z.object({
  data: z.array(z.object({ id: z.string().max(500) })).max(MODELS_MAX),
})

const Embeddings = z.object({
  data: z.array(
    z.object({
      index: z.number().int().min(0).optional(),
      embedding: z.array(z.number()).min(1).max(DIMENSIONS_MAX),
    }),
  ),
})

export function createJsonCalls(
  { model }: ModelSettings,
  { send, fail }: ReturnType<typeof createSender>,
  limits: ModelLimits,
): JsonCalls {
  return {
    listModels: async (signal) => {
      const listed = await call({ path: 'models', method: 'GET' }, ModelList, signal)
      if ('failure' in listed) return listed
      return { kind: 'models', ids: listed.data.map(({ id }) => id) }
    },
    embed: async (texts, signal) => {
      const vectors: (readonly number[])[] = []
      for (let start = 0; start < texts.length; start += TEXTS_PER_CALL) {
        const input = texts.slice(start, start + TEXTS_PER_CALL)
        const request = {
          path: 'embeddings',
          method: 'POST',
          writeBody: () => ({ model, input, encoding_format: 'float' }),
        } as const
        const reply = await call(request, Embeddings, signal)
        if ('failure' in reply) return reply
        // In the order of the texts, unless it says otherwise.
        const found = reply.data
          .map(({ index, embedding }, place) => ({ place: index ?? place, embedding }))
          .sort((a, b) => a.place - b.place)
        const isWhole =
          found.length === input.length && found.every(({ place }, index) => place === index)
        vectors.push(...found.map(({ embedding }) => embedding))
        if (!isWhole || new Set(vectors.map(({ length }) => length)).size > 1)
          return fail('format', 'there is not one vector of the same length for each text')
      }
      return { kind: 'vectors', vectors }
    },
  }

  async function call<Data>(
    request: ModelRequest,
    schema: z.ZodType<Data>,
    signal: AbortSignal,
  ): Promise<Data | Failed> {
    const watch = watchTime(signal, limits.totalMsMax)
    try {
      const reply = await send(request, watch.signal)
      if (reply.kind === 'failed') return reply
      const parsed = schema.safeParse(JSON.parse(await text(reply.body)))
      return parsed.success ? parsed.data : fail('format', 'the response is not as documented')
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SyntaxError) return fail('format', 'the response is not JSON')
      if (watch.late() === undefined) return fail('cut', 'the connection was cut')
      return fail('timeout', `it took more than ${limits.totalMsMax / 1_000} seconds`)
    } finally {
      watch.stop()
    }
  }
}
