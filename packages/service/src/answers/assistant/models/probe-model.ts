/**
 * Finds out what a model server can do, with eight short requests. Servers say little of themselves,
 * and some of it is wrong; what counts is what happens.
 */

import { CONTEXT_TOKENS, type ModelSettings } from '@octavo/contract'
import { cutToTokens, wasTruncated } from '../answer/count-tokens.ts'
import { readStatement } from '../answer/read-statement.ts'
import type { ChatEnd, ChatMessage, ChatRequest, ModelFailure } from './chat.ts'
import type { ModelClient } from './model-client.ts'

type Probe = {
  readonly name: string
  /** `warning`: answers are worse, or cost more, than they could. */
  readonly verdict: 'fine' | 'warning' | 'failed'
  readonly detail: string
}

export type ProbeReport = {
  readonly probes: readonly Probe[]
  /** What to set, by what was found. */
  readonly settings: Pick<ModelSettings, 'contextTokens' | 'hasTools'>
}

export type ProbeOptions = {
  readonly settings: ModelSettings
  readonly client: ModelClient
  /** The same server with another model, where texts are embedded. */
  readonly embedder: Pick<ModelClient, 'embed'>
  readonly signal: AbortSignal
  readonly onProbe: (probe: Probe) => void
}

const OUTPUT_TOKENS = 200
/** Of the context for what stands around the filler. */
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

export async function probeModel(options: ProbeOptions): Promise<ProbeReport> {
  const { settings, client, embedder, signal, onProbe } = options
  const probes: Probe[] = []
  const tell = (name: string, verdict: Probe['verdict'], detail: string) => {
    const probe = { name, verdict, detail }
    probes.push(probe)
    onProbe(probe)
  }

  await probeModels()
  await probeStream()
  const hasTools = await probeTools()
  const contextTokens = await probeContext()
  await probeEmbeddings()
  await probeJson()
  return { probes, settings: { contextTokens, hasTools } }

  async function probeModels(): Promise<void> {
    const listed = await client.listModels(signal)
    if (listed.kind === 'failed')
      return tell('models', 'warning', `not listed. ${listed.failure.message}`)
    const isThere = listed.ids.includes(settings.model)
    const count = listed.ids.length === 1 ? '1 model' : `${listed.ids.length} models`
    if (isThere) return tell('models', 'fine', `${count}, ${settings.model} among them`)
    tell('models', 'warning', `${count} without ${settings.model}: ${listed.ids.slice(0, 5)}`)
  }

  async function probeStream(): Promise<void> {
    const said = await say('Count from one to ten in words.')
    if ('failure' in said) {
      tell('stream', 'failed', said.failure.message)
      tell('usage', 'failed', 'not asked')
      return tell('latency', 'failed', 'not asked')
    }
    const { pieces, end, firstMs, totalMs } = said
    if (pieces > 1) tell('stream', 'fine', `${pieces} pieces, ended with "${end.reason}"`)
    else tell('stream', 'warning', 'the answer comes in one piece: readers wait for all of it')
    const { usage } = end
    if (usage === undefined)
      tell('usage', 'warning', 'not told: budgets count estimates, and a cut prompt is not noticed')
    else tell('usage', 'fine', `${usage.inputTokens} tokens read, ${usage.outputTokens} written`)
    const perSecond = pieces / Math.max(0.001, (totalMs - firstMs) / 1_000)
    const verdict = firstMs > 10_000 ? 'warning' : 'fine'
    const speed = pieces > 5 ? `, then ${Math.round(perSecond)} a second` : ''
    tell('latency', verdict, `first word after ${Math.round(firstMs)} ms${speed}`)
  }

  /** A call, its result, and an answer that knows the result. */
  async function probeTools(): Promise<boolean> {
    const question = {
      role: 'user',
      text: 'What is the secret word of today? Use the tool.',
    } as const
    const asked = await say([question], [TOOL])
    if ('failure' in asked) return tellTools(asked.failure.message)
    const [call] = asked.end.calls
    if (call?.name !== TOOL.name) return tellTools('the model does not call them')
    const result = { role: 'tool', callId: call.id, text: `The secret word is ${WORD}.` } as const
    const turn = { role: 'assistant', text: asked.text, calls: [call] } as const
    const told = await say([question, turn, result], [TOOL])
    if ('failure' in told) return tellTools(told.failure.message)
    if (!told.text.includes(WORD)) return tellTools('the model does not use what they give')
    tell('tools', 'fine', 'called, and the result was used')
    return true
  }

  function tellTools(reason: string): false {
    tell('tools', 'warning', `no: ${reason}. It gets the sections that were found, and no more`)
    return false
  }

  /** Longer and longer prompts whose first line is asked for; servers that cut drop the beginning. */
  async function probeContext(): Promise<number> {
    let known = 0
    let reason = ''
    for (let size: number = CONTEXT_TOKENS.least; size <= settings.contextTokens; size *= 2) {
      const prompt = needlePrompt(size - OUTPUT_TOKENS - FRAME_TOKENS)
      const said = await say(prompt)
      if ('failure' in said) {
        reason = said.failure.message
        break
      }
      const { usage } = said.end
      if (usage !== undefined && wasTruncated(prompt, usage.inputTokens)) {
        reason = `of a longer prompt it reads ${usage.inputTokens} tokens and says nothing`
        break
      }
      // A small model may fail to find it in what it did read.
      if (usage === undefined && !said.text.includes(NEEDLE)) {
        reason = 'in a longer prompt it does not find the first line'
        break
      }
      known = size
    }
    if (known === 0) {
      tell('context', 'failed', reason)
      return CONTEXT_TOKENS.least
    }
    const detail = reason === '' ? 'as many as it was asked for' : reason
    tell('context', reason === '' ? 'fine' : 'warning', `${known} tokens; ${detail}`)
    return known
  }

  async function probeEmbeddings(): Promise<void> {
    const embedded = await embedder.embed(['How do I install it?', 'Install it with npm.'], signal)
    if (embedded.kind === 'failed')
      return tell('embeddings', 'warning', `no: ${embedded.failure.message}`)
    tell('embeddings', 'fine', `${embedded.vectors[0]?.length} dimensions`)
  }

  async function probeJson(): Promise<void> {
    const said = await say(
      'The source says: "Install it with npm" [1]. How is it installed? Answer in one sentence with [1] behind it, then write a line that is exactly this JSON: {"answered": true, "category": "how-to", "sources": [1]}',
    )
    if ('failure' in said) return tell('JSON', 'failed', said.failure.message)
    const isStated = readStatement(said.text) !== undefined
    const isCited = said.text.includes('[1]')
    if (isStated && isCited) return tell('JSON', 'fine', 'sources and the statement as asked for')
    const lacks = isCited ? 'the statement' : 'sources'
    tell('JSON', 'warning', `it leaves out ${lacks}: few of its answers will count`)
  }

  async function say(
    asked: string | readonly ChatMessage[],
    tools: ChatRequest['tools'] = [],
  ): Promise<Said | { readonly failure: ModelFailure }> {
    const messages: readonly ChatMessage[] =
      typeof asked === 'string' ? [{ role: 'user', text: asked }] : asked
    const request = { system: 'Be brief.', messages, tools, outputTokensMax: OUTPUT_TOKENS }
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
    throw new Error('the model gave neither an end nor a failure')
  }
}

type Said = {
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
  return `The number of the locker is ${NEEDLE}.\n${cutToTokens(lines.join('\n'), tokens)}\nWhat is the number of the locker? Answer with the number alone.`
}
