/** Requests whose response is a single JSON document: the list of models, and embeddings. */
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { ModelFailure } from './chat.ts'
import type { ModelRequest, ModelSender } from './send-to-model.ts'
import { watchTime } from './watch-time.ts'

type Listed = { readonly kind: 'models'; readonly ids: readonly string[] }
type Embedded = { readonly kind: 'vectors'; readonly vectors: readonly (readonly number[])[] }
type Failed = { readonly kind: 'failed'; readonly failure: ModelFailure }

/**
 * The number of texts per request. The limits of servers differ, but all of them accept this many.
 */
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

export async function listModels(
  sender: ModelSender,
  signal: AbortSignal,
): Promise<Listed | Failed> {
  const listed = await callJson(
    sender,
    { path: 'models', method: 'GET', schema: ModelList },
    signal,
  )
  if ('failure' in listed) return listed
  return { kind: 'models', ids: listed.data.map(({ id }) => id) }
}

/** Returns the vectors of texts in the same order. All vectors have the same length. */
export async function embedTexts(
  sender: ModelSender,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Embedded | Failed> {
  const vectors: (readonly number[])[] = []
  for (let start = 0; start < texts.length; start += TEXTS_PER_CALL) {
    const input = texts.slice(start, start + TEXTS_PER_CALL)
    const request = {
      path: 'embeddings',
      method: 'POST',
      schema: Embeddings,
      writeBody: () => ({ model: sender.settings.model, input, encoding_format: 'float' }),
    } as const
    const reply = await callJson(sender, request, signal)
    if ('failure' in reply) return reply
    // Vectors without an index are in the order of the texts.
    const found = reply.data
      .map(({ index, embedding }, place) => ({ place: index ?? place, embedding }))
      .sort((a, b) => a.place - b.place)
    const isWhole =
      found.length === input.length && found.every(({ place }, index) => place === index)
    vectors.push(...found.map(({ embedding }) => embedding))
    if (!isWhole || new Set(vectors.map(({ length }) => length)).size > 1)
      return sender.fail(
        'format',
        'the response does not have one vector of the same length for each text',
      )
  }
  return { kind: 'vectors', vectors }
}

async function callJson<Data>(
  sender: ModelSender,
  request: ModelRequest & { readonly schema: z.ZodType<Data> },
  signal: AbortSignal,
): Promise<Data | Failed> {
  const watch = watchTime(signal, sender.limits.totalMsMax)
  try {
    const reply = await sender.send(request, watch.signal)
    if (reply.kind === 'failed') return reply
    const parsed = request.schema.safeParse(JSON.parse(await text(reply.body)))
    return parsed.success ? parsed.data : sender.fail('format', 'the response is not as documented')
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SyntaxError) return sender.fail('format', 'the response is not JSON')
    if (watch.late() === undefined) return sender.fail('cut', 'the connection was cut')
    return sender.fail(
      'timeout',
      `the response took more than ${sender.limits.totalMsMax / 1_000} seconds`,
    )
  } finally {
    watch.stop()
  }
}
