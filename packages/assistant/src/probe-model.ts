/**
 * Tests eight abilities of a model server with real requests. Servers report little about
 * themselves, and some of it is wrong, so only observed behavior counts.
 */

import { CONTEXT_TOKENS, type ModelSettings } from '@octavo/contract'
import { truncateToTokens, wasTruncated } from './answer/count-tokens.ts'
import { readStatement } from './answer/read-statement.ts'
import type { ChatEnd, ChatMessage, ChatRequest, ModelFailure } from './models/chat.ts'
import type { ModelClient } from './models/model-client.ts'

type Probe = {
  readonly name: string
  /**
   * The result of a probe. `warning` means that answers are worse or more expensive than they could
   * be.
   */
  readonly verdict: 'fine' | 'warning' | 'failed'
  readonly detail: string
}

export type ProbeReport = {
  readonly probes: readonly Probe[]
  /** The settings that the probes recommend. */
  readonly settings: Pick<ModelSettings, 'contextTokens' | 'hasTools'>
}

export type ProbeOptions = {
  readonly settings: ModelSettings
  readonly client: ModelClient
  /** A client for the embedding model of the server. */
  readonly embedder: Pick<ModelClient, 'embed'>
  readonly signal: AbortSignal
  readonly onProbe: (probe: Probe) => void
}

const OUTPUT_TOKENS = 200
/** The number of tokens in a prompt besides the filler text and the answer. */
const FRAME_TOKENS = 150
const NEEDLE = '48151623'
const WORD = 'tamarind'
const TOOL = {
  name: 'look_up',
  description: 'Looks up the secret word of today.',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string', description: 'today' } },
    required: ['day'],
  },
}

export const probeModel = (options: ProbeOptions): Promise<ProbeReport> =>
  new ModelProbe(options).run()

class ModelProbe {
  readonly #options: ProbeOptions
  readonly #probes: Probe[] = []

  constructor(options: ProbeOptions) {
    this.#options = options
  }

  async run(): Promise<ProbeReport> {
    await this.#probeModels()
    await this.#probeStream()
    const hasTools = await this.#probeTools()
    const contextTokens = await this.#probeContext()
    await this.#probeEmbeddings()
    await this.#probeJson()
    return { probes: this.#probes, settings: { contextTokens, hasTools } }
  }

  #note(name: string, verdict: Probe['verdict'], detail: string): void {
    const probe = { name, verdict, detail }
    this.#probes.push(probe)
    this.#options.onProbe(probe)
  }

  async #probeModels(): Promise<void> {
    const { client, settings, signal } = this.#options
    const listed = await client.listModels(signal)
    if (listed.kind === 'failed')
      return this.#note(
        'models',
        'warning',
        `the server does not list models. ${listed.failure.message}`,
      )
    const isListed = listed.ids.includes(settings.model)
    const count = listed.ids.length === 1 ? '1 model' : `${listed.ids.length} models`
    if (isListed) return this.#note('models', 'fine', `${count}, including ${settings.model}`)
    this.#note('models', 'warning', `${count} without ${settings.model}: ${listed.ids.slice(0, 5)}`)
  }

  async #probeStream(): Promise<void> {
    const reply = await this.#say('Count from one to ten in words.')
    if ('failure' in reply) {
      this.#note('stream', 'failed', reply.failure.message)
      this.#note('usage', 'failed', 'skipped')
      return this.#note('latency', 'failed', 'skipped')
    }
    const { pieces, end, firstMs, totalMs } = reply
    if (pieces > 1) this.#note('stream', 'fine', `${pieces} pieces, ended with "${end.reason}"`)
    else
      this.#note(
        'stream',
        'warning',
        'the answer arrives in one piece, so readers wait until it is complete',
      )
    const { usage } = end
    if (usage === undefined)
      this.#note(
        'usage',
        'warning',
        'not reported: budgets count estimates, and a truncated prompt is not detected',
      )
    else
      this.#note('usage', 'fine', `${usage.inputTokens} tokens read, ${usage.outputTokens} written`)
    const perSecond = pieces / Math.max(0.001, (totalMs - firstMs) / 1_000)
    const verdict = firstMs > 10_000 ? 'warning' : 'fine'
    const speed = pieces > 5 ? `, then ${Math.round(perSecond)} a second` : ''
    this.#note('latency', verdict, `first word after ${Math.round(firstMs)} ms${speed}`)
  }

  /** Tests whether the model calls a tool and then answers with its result. */
  async #probeTools(): Promise<boolean> {
    const question = {
      role: 'user',
      text: 'What is the secret word of today? Use the tool.',
    } as const
    const firstReply = await this.#say([question], [TOOL])
    if ('failure' in firstReply) return this.#noteNoTools(firstReply.failure.message)
    const [call] = firstReply.end.calls
    if (call?.name !== TOOL.name) return this.#noteNoTools('the model does not call tools')
    const result = { role: 'tool', callId: call.id, text: `The secret word is ${WORD}.` } as const
    const turn = { role: 'assistant', text: firstReply.text, calls: [call] } as const
    const secondReply = await this.#say([question, turn, result], [TOOL])
    if ('failure' in secondReply) return this.#noteNoTools(secondReply.failure.message)
    if (!secondReply.text.includes(WORD))
      return this.#noteNoTools('the model does not use the results of tools')
    this.#note('tools', 'fine', 'called, and the result was used')
    return true
  }

  #noteNoTools(reason: string): false {
    this.#note('tools', 'warning', `no: ${reason}. It gets only the sections that the search finds`)
    return false
  }

  /**
   * Sends longer and longer prompts and asks for their first line, since servers that truncate a
   * prompt remove its beginning.
   */
  async #probeContext(): Promise<number> {
    const { contextTokens } = this.#options.settings
    let known = 0
    let reason = ''
    for (let size: number = CONTEXT_TOKENS.least; size <= contextTokens; size *= 2) {
      const prompt = needlePrompt(size - OUTPUT_TOKENS - FRAME_TOKENS)
      const reply = await this.#say(prompt)
      if ('failure' in reply) {
        reason = reply.failure.message
        break
      }
      const { usage } = reply.end
      if (usage !== undefined && wasTruncated(prompt, usage.inputTokens)) {
        reason = `a longer prompt is silently cut to ${usage.inputTokens} tokens`
        break
      }
      // If the server reports its usage, ignore whether the line was found: a small model may not
      // find it even in a prompt that it has read.
      if (usage === undefined && !reply.text.includes(NEEDLE)) {
        reason = 'it does not find the first line of a longer prompt'
        break
      }
      known = size
    }
    if (known === 0) {
      this.#note('context', 'failed', reason)
      return CONTEXT_TOKENS.least
    }
    const detail = reason === '' ? 'the requested maximum' : reason
    this.#note('context', reason === '' ? 'fine' : 'warning', `${known} tokens; ${detail}`)
    return known
  }

  async #probeEmbeddings(): Promise<void> {
    const { embedder, signal } = this.#options
    const embedded = await embedder.embed(['How do I install it?', 'Install it with npm.'], signal)
    if (embedded.kind === 'failed')
      return this.#note('embeddings', 'warning', `no: ${embedded.failure.message}`)
    this.#note('embeddings', 'fine', `${embedded.vectors[0]?.length} dimensions`)
  }

  async #probeJson(): Promise<void> {
    const reply = await this.#say(
      'The source says: "Install it with npm" [1]. How is it installed? Answer in one sentence followed by [1], then write a line that is exactly this JSON: {"answered": true, "category": "how-to", "sources": [1]}',
    )
    if ('failure' in reply) return this.#note('JSON', 'failed', reply.failure.message)
    const isStated = readStatement(reply.text) !== undefined
    const isCited = reply.text.includes('[1]')
    if (isStated && isCited)
      return this.#note('JSON', 'fine', 'sources and the statement are as requested')
    const lacks = isCited ? 'the statement' : 'sources'
    this.#note('JSON', 'warning', `it omits ${lacks}, so few of its answers will count`)
  }

  async #say(
    prompt: string | readonly ChatMessage[],
    tools: ChatRequest['tools'] = [],
  ): Promise<ProbeReply | { readonly failure: ModelFailure }> {
    const messages: readonly ChatMessage[] =
      typeof prompt === 'string' ? [{ role: 'user', text: prompt }] : prompt
    const request = { system: 'Be brief.', messages, tools, outputTokensMax: OUTPUT_TOKENS }
    const { client, signal } = this.#options
    const started = performance.now()
    let text = ''
    let pieces = 0
    let firstMs = 0
    for await (const event of client.chat(request, signal)) {
      if (event.type === 'failed') return { failure: event.failure }
      if (event.type === 'end')
        return { text, pieces, firstMs, totalMs: performance.now() - started, end: event }
      if (pieces === 0) firstMs = performance.now() - started
      pieces += 1
      text += event.text
    }
    throw new Error('the response of the model stopped without an end or a failure')
  }
}

type ProbeReply = {
  readonly text: string
  readonly pieces: number
  readonly firstMs: number
  readonly totalMs: number
  readonly end: ChatEnd
}

function needlePrompt(tokens: number): string {
  const lines = Array.from(
    { length: Math.ceil(tokens / 12) },
    (_, index) => `Line ${index}: the garden had ${(index * 37) % 101} trees that year.`,
  )
  return `The number of the locker is ${NEEDLE}.\n${truncateToTokens(lines.join('\n'), tokens)}\nWhat is the number of the locker? Answer with the number alone.`
}
