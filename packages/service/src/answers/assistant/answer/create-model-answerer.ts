/**
 * Answers a question with a model: our own search runs first, then the model, which may search
 * further with limited tools. Its text counts as an answer only with sources that it was actually
 * shown.
 */
import {
  type Answerer,
  type AnswerOutcome,
  type AnswerSource,
  nearestPages,
  type Question,
  UNANSWERED_TEXT,
  type UnansweredReason,
} from '@octavo/search'
import type { ChatEnd, ChatMessage, ChatRequest, ModelFailure, ToolCall } from '../models/chat.ts'
import type { ModelClient } from '../models/model-client.ts'
import { AnswerText } from './answer-text.ts'
import { estimateTokens, wasTruncated } from './count-tokens.ts'
import { createDataFence, type DataFence } from './data-fence.ts'
import { LIBRARY_TOOLS, LibraryTools, TOOL_LIMITS } from './library-tools.ts'
import { SourceLedger } from './source-ledger.ts'
import {
  CATEGORIES,
  MAP_PAGES,
  type PromptInput,
  type PromptSettings,
  writePrompt,
} from './write-prompt.ts'

const SECTIONS_MAX = 8
/** Room for one round per tool call, one refused call, and the answer. */
const ROUNDS_MAX = TOOL_LIMITS.callsMax + 2

export type ModelAnswererOptions = {
  readonly client: Pick<ModelClient, 'chat'>
  readonly settings: PromptSettings
  /** Reports to the operator why there is no answer. */
  readonly report: (message: string) => void
}

type AnswerWork = Parameters<Answerer>[1]

/** State shared by all answers of one model. */
type AnswererState = ModelAnswererOptions & {
  readonly fence: DataFence
  /** Some servers reject tools unless they were started with support for them. */
  hasTools: boolean
}

export function createModelAnswerer(options: ModelAnswererOptions): Answerer {
  const { hasTools } = options.settings
  const memory = { ...options, fence: createDataFence(), hasTools }
  return (question, work) => new ModelAnswer(memory, work).answer(question)
}

class ModelAnswer {
  readonly #memory: AnswererState
  readonly #work: AnswerWork
  readonly #totals = { inputTokens: 0, outputTokens: 0 }
  #nearest: readonly AnswerSource[] = []
  #hasText = false

  constructor(memory: AnswererState, work: AnswerWork) {
    this.#memory = memory
    this.#work = work
  }

  async answer(question: Question): Promise<AnswerOutcome> {
    const { library, signal, onMaxCost } = this.#work
    onMaxCost?.(0)
    try {
      const { found, pages, current } = await library.findContext(question.text, {
        sections: SECTIONS_MAX,
        url: question.page?.url.replace(/#.*$/, ''),
        pages: MAP_PAGES,
      })
      signal.throwIfAborted()
      this.#nearest = nearestPages(found)
      if (found.length === 0 && current === undefined && !this.#memory.hasTools)
        return await this.#conclude(undefined, [])
      return await this.#ask({ question, pages, found, current })
    } catch (error) {
      signal.throwIfAborted()
      this.#memory.report(`The question could not be answered: ${String(error)}`)
      return this.#finish('interrupted')
    }
  }

  async #ask(input: PromptInput): Promise<AnswerOutcome> {
    const { settings, fence, hasTools } = this.#memory
    const ledger = new SourceLedger()
    const text = new AnswerText(ledger)
    const { library } = this.#work
    // A concurrent question may discover in the meantime that the server rejects tools.
    const own = { ...settings, hasTools }
    const { system, messages: first, budget } = writePrompt(input, own, { fence, ledger })
    const tools = new LibraryTools({ library, ledger, fence, tokensMax: budget.tools })
    const messages: ChatMessage[] = [...first]
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const request = {
        system,
        messages,
        tools: hasTools ? LIBRARY_TOOLS : [],
        outputTokensMax: budget.output,
      }
      const turn = await this.#takeTurn(request, text)
      if ('failure' in turn) {
        if (hasTools && round === 0 && refusesTools(turn.failure)) {
          this.#memory.hasTools = false
          return this.#ask(input)
        }
        return this.#fail(turn.failure.message, ledger.cited)
      }
      const { end, written } = turn
      const problem = findProblem(end, written.promptText)
      if (problem !== undefined) return this.#fail(problem, ledger.cited)
      if (end.calls.length === 0 || !hasTools) {
        const last = text.end()
        await this.#show(last.text)
        return this.#conclude(last.statement, ledger.cited)
      }
      await this.#show(text.pause())
      messages.push({ role: 'assistant', text: written.text, calls: end.calls })
      messages.push(...(await this.#runTools(tools, end.calls)))
    }
    return this.#fail(
      `The model did not stop calling tools after ${ROUNDS_MAX} rounds.`,
      ledger.cited,
    )
  }

  async #runTools(tools: LibraryTools, calls: readonly ToolCall[]): Promise<ChatMessage[]> {
    const results: ChatMessage[] = []
    for (const call of calls) {
      this.#work.signal.throwIfAborted()
      const text = await tools.run(call, this.#work.give)
      results.push({ role: 'tool', callId: call.id, text })
    }
    return results
  }

  /** Sends one request and streams its text to the reader. */
  async #takeTurn(request: ChatRequest, text: AnswerText) {
    const promptText = [request.system, ...request.messages.map(printMessage)].join('\n')
    const written = { promptText, text: '' }
    const { inputTokens, outputTokens } = this.#totals
    const next = estimateTokens(promptText) + request.outputTokensMax
    this.#work.onMaxCost?.(inputTokens + outputTokens + next)
    for await (const event of this.#memory.client.chat(request, this.#work.signal)) {
      if (event.type === 'text') {
        written.text += event.text
        await this.#show(text.push(event.text))
        continue
      }
      if (event.type === 'end') {
        this.#count(event.usage ?? estimate(written))
        return { end: event, written }
      }
      // Tokens read and written before a failure are charged.
      if (!NOTHING_READ.has(event.failure.reason)) this.#count(estimate(written))
      return { failure: event.failure }
    }
    throw new Error('the model gave neither an end nor a failure')
  }

  async #show(text: string): Promise<void> {
    if (text === '') return
    this.#hasText = true
    await this.#work.give({ type: 'text', text })
  }

  #count(usage: NonNullable<AnswerOutcome['usage']>): void {
    this.#totals.inputTokens += usage.inputTokens
    this.#totals.outputTokens += usage.outputTokens
  }

  async #conclude(
    statement: ReturnType<AnswerText['end']>['statement'],
    sources: readonly AnswerSource[],
  ): Promise<AnswerOutcome> {
    const known = this.#memory.settings.categories ?? CATEGORIES
    const category = known.find((name) => name === statement?.category)
    const rest = { sources, ...(category !== undefined && { category }) }
    // Text that the model wrote without a source was not shown.
    if (!this.#hasText) await this.#show(UNANSWERED_TEXT)
    if (statement?.isAnswered === false) return this.#finish('declared', rest)
    return this.#finish(sources.length === 0 ? 'no-sources' : undefined, rest)
  }

  #fail(message: string, sources: readonly AnswerSource[]): AnswerOutcome {
    this.#memory.report(message)
    return this.#finish('provider-error', { sources })
  }

  #finish(reason: UnansweredReason | undefined, rest: Partial<AnswerOutcome> = {}): AnswerOutcome {
    const shared = { sources: [], nearest: this.#nearest, usage: this.#totals, ...rest }
    return reason === undefined
      ? { ...shared, nearest: [], status: 'answered' }
      : { ...shared, status: 'unanswered', reason }
  }
}

const NOTHING_READ: ReadonlySet<ModelFailure['reason']> = new Set([
  'address',
  'connection',
  'status',
])

function estimate({ promptText, text }: { promptText: string; text: string }) {
  return { inputTokens: estimateTokens(promptText), outputTokens: estimateTokens(text) }
}

/** Returns why a finished turn is not a complete answer; undefined if it is. */
function findProblem({ reason, usage }: ChatEnd, promptText: string): string | undefined {
  if (usage !== undefined && wasTruncated(promptText, usage.inputTokens))
    return `The model server read ${usage.inputTokens} tokens of a prompt of about ${estimateTokens(promptText)}: it silently truncates long prompts. Increase its context length (Ollama: OLLAMA_CONTEXT_LENGTH), or set the actual context length in Octavo.`
  if (reason === 'length') return 'The answer was cut off at the token limit.'
  return reason === 'filtered' ? 'The provider refused to answer.' : undefined
}

const refusesTools = ({ status, message }: ModelFailure) => status === 400 && /tool/i.test(message)

function printMessage(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? message.calls : []
  return [message.text, ...calls.map((call) => call.arguments)].join('\n')
}
