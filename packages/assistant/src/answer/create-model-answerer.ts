/**
 * Answers a question with a model. Our own search runs first. Then the model answers, and can
 * search further with a limited number of tool calls. Its text counts as an answer only if it cites
 * sources that the model was shown.
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
/**
 * The maximum number of requests: one per tool call, one after a refused call, and one for the
 * answer.
 */
const ROUNDS_MAX = TOOL_LIMITS.callsMax + 2

export type ModelAnswererOptions = {
  readonly client: Pick<ModelClient, 'chat'>
  readonly settings: PromptSettings
  /** Reports to the operator why a question was not answered. */
  readonly report: (failure: AnswerFailure) => void
}

/** Why a model did not answer: its server failed, or its answer is not complete. */
export type AnswerFailure = {
  readonly reason:
    | ModelFailure['reason']
    /** The server read only a part of the prompt. */
    | 'truncated'
    /** The answer reached the maximum number of tokens. */
    | 'length'
    /** The provider refused to answer. */
    | 'filtered'
    /** The model did not stop calling tools. */
    | 'tools'
    /** The question could not be answered because of an error of ours. */
    | 'internal'
  /** A sentence for the operator, which never contains the API key. */
  readonly message: string
}

type AnswerWork = Parameters<Answerer>[1]

/** State shared by all answers of one model. */
type AnswererState = ModelAnswererOptions & {
  readonly fence: DataFence
  /**
   * True unless the server has rejected tools. Some servers only support tools if they are started
   * with an option.
   */
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
        return await this.#conclude(undefined, new SourceLedger())
      return await this.#ask({ question, pages, found, current })
    } catch (error) {
      signal.throwIfAborted()
      const message = `The question could not be answered: ${String(error)}`
      this.#memory.report({ reason: 'internal', message })
      return this.#finish('interrupted')
    }
  }

  async #ask(input: PromptInput): Promise<AnswerOutcome> {
    const { settings, fence, hasTools } = this.#memory
    const ledger = new SourceLedger()
    const text = new AnswerText(ledger)
    const { library } = this.#work
    // A concurrent answer may find out that the server rejects tools, so use the same value for
    // this whole answer.
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
        return this.#fail(turn.failure, ledger)
      }
      const { end, written } = turn
      const problem = findProblem(end, written.promptText)
      if (problem !== undefined) return this.#fail(problem, ledger)
      if (end.calls.length === 0 || !hasTools) {
        const last = text.end()
        await this.#show(last.text)
        return this.#conclude(last.statement, ledger)
      }
      await this.#show(text.pause())
      messages.push({ role: 'assistant', text: written.text, calls: end.calls })
      messages.push(...(await this.#runTools(tools, end.calls)))
    }
    const message = `The model did not stop calling tools after ${ROUNDS_MAX} rounds.`
    return this.#fail({ reason: 'tools', message }, ledger)
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

  /** Sends one request to the model and shows its text to the reader. */
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
      // If the server read the prompt before it failed, the estimated tokens are charged.
      if (!UNREAD_REASONS.has(event.failure.reason)) this.#count(estimate(written))
      return { failure: event.failure }
    }
    throw new Error('the response of the model stopped without an end or a failure')
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
    { cited: sources, invented }: SourceLedger,
  ): Promise<AnswerOutcome> {
    const known = this.#memory.settings.categories ?? CATEGORIES
    const category = known.find((name) => name === statement?.category)
    const rest = { sources, invented, ...(category !== undefined && { category }) }
    // Text without a source was not shown, so show that there is no answer.
    if (!this.#hasText) await this.#show(UNANSWERED_TEXT)
    if (statement?.isAnswered === false) return this.#finish('declared', rest)
    return this.#finish(sources.length === 0 ? 'no-sources' : undefined, rest)
  }

  #fail({ reason, message }: AnswerFailure, { cited, invented }: SourceLedger): AnswerOutcome {
    this.#memory.report({ reason, message })
    return this.#finish('provider-error', { sources: cited, invented })
  }

  #finish(reason: UnansweredReason | undefined, rest: Partial<AnswerOutcome> = {}): AnswerOutcome {
    const shared = { sources: [], nearest: this.#nearest, usage: this.#totals, ...rest }
    return reason === undefined
      ? { ...shared, nearest: [], status: 'answered' }
      : { ...shared, status: 'unanswered', reason }
  }
}

const UNREAD_REASONS: ReadonlySet<ModelFailure['reason']> = new Set([
  'address',
  'connection',
  'status',
])

function estimate({ promptText, text }: { promptText: string; text: string }) {
  return { inputTokens: estimateTokens(promptText), outputTokens: estimateTokens(text) }
}

/** Returns why the model's response is not a complete answer; undefined if it is. */
function findProblem({ reason, usage }: ChatEnd, promptText: string): AnswerFailure | undefined {
  if (usage !== undefined && wasTruncated(promptText, usage.inputTokens)) {
    const message = `The model server read ${usage.inputTokens} tokens of a prompt of about ${estimateTokens(promptText)}: it silently truncates long prompts. Increase its context length (Ollama: OLLAMA_CONTEXT_LENGTH), or set the actual context length in Octavo.`
    return { reason: 'truncated', message }
  }
  if (reason === 'length') return { reason, message: 'The answer was cut off at the token limit.' }
  return reason === 'filtered' ? { reason, message: 'The provider refused to answer.' } : undefined
}

const refusesTools = ({ status, message }: ModelFailure) => status === 400 && /tool/i.test(message)

function printMessage(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? message.calls : []
  return [message.text, ...calls.map((call) => call.arguments)].join('\n')
}
