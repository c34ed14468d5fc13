/**
 * Sends requests to a model server in one of two formats. Whatever a server does, it cannot cause
 * an exception, endless waiting or unlimited memory use. The last event of an answer is either an
 * end, or a failure with its reason. An incomplete answer is a failure. An exception is thrown only
 * if the caller's signal is aborted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelSettings } from '@octavo/contract'
import { ANTHROPIC_FORMAT } from './anthropic-format.ts'
import type { ChatEvent, ChatRequest, ModelFailure } from './chat.ts'
import { type ChatFormat, errorText } from './chat-format.ts'
import { ReasoningFilter } from './drop-thoughts.ts'
import { embedTexts, listModels } from './json-calls.ts'
import { OPENAI_FORMAT } from './openai-format.ts'
import { readEvents } from './read-events.ts'
import { MODEL_LIMITS, type ModelDeps, type ModelLimits, ModelSender } from './send-to-model.ts'
import { type TimeWatch, watchTime } from './watch-time.ts'

export type ModelClientOptions = Pick<ModelDeps, 'allowPrivateHosts'> & {
  readonly limits?: Partial<ModelLimits>
  readonly wait?: ModelDeps['wait']
  readonly now?: () => number
}

/** More characters than any model writes per token. */
const CHARACTERS_PER_TOKEN_MAX = 12
/**
 * The maximum number of events in an answer, with or without text. Even the fastest model sends
 * fewer events in the available time.
 */
const EVENTS_MAX = 50_000

export class ModelClient {
  readonly #sender: ModelSender
  readonly #format: ChatFormat

  constructor(settings: ModelSettings, options: ModelClientOptions) {
    const { allowPrivateHosts, now = Date.now } = options
    const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
    const limits = { ...MODEL_LIMITS, ...options.limits }
    this.#sender = new ModelSender(settings, { allowPrivateHosts, limits, wait, now })
    this.#format = settings.format === 'anthropic' ? ANTHROPIC_FORMAT : OPENAI_FORMAT
  }

  listModels(signal: AbortSignal) {
    return listModels(this.#sender, signal)
  }

  embed(texts: readonly string[], signal: AbortSignal) {
    return embedTexts(this.#sender, texts, signal)
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent, void> {
    const watch = watchTime(signal, this.#sender.limits.totalMsMax)
    try {
      yield* this.#ask(request, watch)
    } catch (error) {
      signal.throwIfAborted()
      yield this.#failed(...explain(watch, error))
    } finally {
      watch.stop()
    }
  }

  async *#ask(request: ChatRequest, watch: TimeWatch): AsyncGenerator<ChatEvent, void> {
    const { limits, settings } = this.#sender
    watch.expect('timeout', limits.firstWordMsMax)
    const { path, writeBody, createReader } = this.#format
    const reply = await this.#sender.send(
      {
        path,
        method: 'POST',
        writeBody: (quirks) => writeBody(request, settings.model, quirks),
      },
      watch.signal,
    )
    if (reply.kind === 'failed') return yield { type: 'failed', failure: reply.failure }
    const type = reply.headers['content-type'] ?? ''
    if (/json|html/i.test(type))
      return yield this.#failed('format', `it sent ${type} instead of a stream`)
    const reader = createReader()
    const thoughts = new ReasoningFilter()
    let room = request.outputTokensMax * CHARACTERS_PER_TOKEN_MAX
    let events = 0
    // Keep-alive comments, which some servers send while they read the prompt, do not count as the
    // first word.
    let hasBegun = false
    const expectMore = () => {
      if (hasBegun && reader.end() === undefined) watch.expect('silence', limits.silenceMsMax)
    }
    try {
      for await (const { data } of readEvents(reply.body, expectMore)) {
        if (data === '[DONE]') break
        const event = parseEvent(data)
        if (event === undefined)
          return yield this.#failed('format', 'a line of the stream is not JSON')
        const { text = '', error } = reader.take(event)
        if (error !== undefined) return yield this.#failed('error', error)
        room -= text.length
        events += 1
        if (room < 0 || events > EVENTS_MAX)
          return yield this.#failed(
            'endless',
            'the answer is much longer than the requested maximum',
          )
        if (text !== '' && !hasBegun) {
          hasBegun = true
          expectMore()
        }
        const shown = thoughts.push(text)
        if (shown !== '') yield { type: 'text', text: shown }
        if (reader.end() !== undefined) watch.expect('after-end', limits.afterEndMsMax)
      }
    } catch (error) {
      // If the answer has ended, only the token usage can be missing, so the answer is complete.
      if (reader.end() === undefined || watch.late()?.reason === 'timeout') throw error
    }
    const end = reader.end()
    if (end === undefined)
      return yield this.#failed('cut', 'the stream ended before the answer was complete')
    const rest = thoughts.end()
    if (rest !== '') yield { type: 'text', text: rest }
    yield { type: 'end', ...end }
  }

  #failed(reason: ModelFailure['reason'], words: string): ChatEvent {
    return { type: 'failed', failure: this.#sender.fail(reason, words).failure }
  }
}

function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/** Returns why the connection failed, as a reason and a message. */
function explain(watch: TimeWatch, error: unknown): readonly [ModelFailure['reason'], string] {
  const late = watch.late()
  if (late === undefined) return ['cut', `the connection was cut (${errorText(error)})`]
  const seconds = `${late.afterMs / 1_000} seconds`
  return late.reason === 'timeout'
    ? ['timeout', `it took more than ${seconds}`]
    : ['silence', `it was silent for ${seconds}`]
}
