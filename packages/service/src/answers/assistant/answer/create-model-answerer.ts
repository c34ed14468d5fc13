/**
 * Answers a question with a model: our own search first, then the model, which may look further with
 * bounded tools. What it says counts as an answer only with sources that it was really shown.
 */
import {
  type Answerer,
  type AnswerOutcome,
  type AnswerSource,
  nearestPages,
  UNANSWERED_TEXT,
  type UnansweredReason,
} from '@octavo/search'
import type { ChatEnd, ChatMessage, ChatRequest, ModelFailure } from '../models/chat.ts'
import type { ModelClient } from '../models/model-client.ts'
import { AnswerText } from './answer-text.ts'
import { estimateTokens, wasTruncated } from './count-tokens.ts'
import { createDataFence } from './data-fence.ts'
import { createLibraryTools, LIBRARY_TOOLS, TOOL_LIMITS } from './library-tools.ts'
import { SourceLedger } from './source-ledger.ts'
import {
  CATEGORIES,
  MAP_PAGES,
  type PromptInput,
  type PromptSettings,
  writePrompt,
} from './write-prompt.ts'

const SECTIONS_MAX = 8
/** Each call of a tool on its own, one that is refused, and the answer. */
const ROUNDS_MAX = TOOL_LIMITS.callsMax + 2

export type ModelAnswererOptions = {
  readonly client: Pick<ModelClient, 'chat'>
  readonly settings: PromptSettings
  /** Tells the operator why there is no answer. */
  readonly report: (message: string) => void
}

export function createModelAnswerer({ client, settings, report }: ModelAnswererOptions): Answerer {
  const fence = createDataFence()
  // Some servers refuse tools unless they were started for them.
  let hasTools = settings.hasTools

  return async (question, work) => {
    const totals = { inputTokens: 0, outputTokens: 0 }
    let nearest: readonly AnswerSource[] = []
    let hasText = false
    work.costsAtMost?.(0)
    const finish = (
      reason: UnansweredReason | undefined,
      rest: Partial<AnswerOutcome> = {},
    ): AnswerOutcome => {
      const shared = { sources: [], nearest, usage: totals, ...rest }
      return reason === undefined
        ? { ...shared, nearest: [], status: 'answered' }
        : { ...shared, status: 'unanswered', reason }
    }
    const fail = (message: string, sources: readonly AnswerSource[] = []) => {
      report(message)
      return finish('provider-error', { sources })
    }
    try {
      const { found, pages, current } = await work.library.findContext(question.text, {
        sections: SECTIONS_MAX,
        url: question.page?.url.replace(/#.*$/, ''),
        pages: MAP_PAGES,
      })
      work.signal.throwIfAborted()
      nearest = nearestPages(found)
      if (found.length === 0 && current === undefined && !hasTools)
        return await conclude(undefined, [])
      return await ask({ question, pages, found, current })
    } catch (error) {
      work.signal.throwIfAborted()
      report(`The question could not be answered: ${String(error)}`)
      return finish('interrupted')
    }

    async function ask(input: PromptInput): Promise<AnswerOutcome> {
      const ledger = new SourceLedger()
      const text = new AnswerText(ledger)
      // Another question may find out meanwhile that the server refuses them.
      const usesTools = hasTools
      const own = { ...settings, hasTools: usesTools }
      const { system, messages: first, budget } = writePrompt(input, own, { fence, ledger })
      const tools = createLibraryTools({
        library: work.library,
        ledger,
        fence,
        tokensMax: budget.tools,
      })
      const messages: ChatMessage[] = [...first]
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const request = {
          system,
          messages,
          tools: usesTools ? LIBRARY_TOOLS : [],
          outputTokensMax: budget.output,
        }
        const turn = await takeTurn(request, text)
        if ('failure' in turn) {
          if (usesTools && round === 0 && refusesTools(turn.failure)) {
            hasTools = false
            return ask(input)
          }
          return fail(turn.failure.message, ledger.cited)
        }
        const { end, written } = turn
        const problem = findProblem(end, written.promptText)
        if (problem !== undefined) return fail(problem, ledger.cited)
        if (end.calls.length === 0 || !usesTools) {
          const last = text.end()
          await show(last.text)
          return conclude(last.statement, ledger.cited)
        }
        await show(text.pause())
        messages.push({ role: 'assistant', text: written.text, calls: end.calls })
        for (const call of end.calls) {
          work.signal.throwIfAborted()
          const result = await tools.run(call, work.give)
          messages.push({ role: 'tool', callId: call.id, text: result })
        }
      }
      return fail(`The model calls tools without end: ${ROUNDS_MAX} rounds.`, ledger.cited)
    }

    /** One request, whose text is given to the reader as it comes. */
    async function takeTurn(request: ChatRequest, text: AnswerText) {
      const promptText = [request.system, ...request.messages.map(printMessage)].join('\n')
      const written = { promptText, text: '' }
      const { inputTokens, outputTokens } = totals
      const next = estimateTokens(promptText) + request.outputTokensMax
      work.costsAtMost?.(inputTokens + outputTokens + next)
      for await (const event of client.chat(request, work.signal)) {
        if (event.type === 'text') {
          written.text += event.text
          await show(text.push(event.text))
          continue
        }
        if (event.type === 'end') {
          count(event.usage ?? estimate(written))
          return { end: event, written }
        }
        // What was read and written before a failure is paid for.
        if (!NOTHING_READ.has(event.failure.reason)) count(estimate(written))
        return { failure: event.failure }
      }
      throw new Error('the model gave neither an end nor a failure')
    }

    async function show(text: string): Promise<void> {
      if (text === '') return
      hasText = true
      await work.give({ type: 'text', text })
    }

    function count(usage: NonNullable<AnswerOutcome['usage']>): void {
      totals.inputTokens += usage.inputTokens
      totals.outputTokens += usage.outputTokens
    }

    async function conclude(
      statement: ReturnType<AnswerText['end']>['statement'],
      sources: readonly AnswerSource[],
    ): Promise<AnswerOutcome> {
      const known = settings.categories ?? CATEGORIES
      const category = known.find((name) => name === statement?.category)
      const rest = { sources, ...(category !== undefined && { category }) }
      // What the model wrote without a source was not shown.
      if (!hasText) await show(UNANSWERED_TEXT)
      if (statement?.isAnswered === false) return finish('declared', rest)
      return finish(sources.length === 0 ? 'no-sources' : undefined, rest)
    }
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

/** Why the end of a turn is no end of an answer. */
function findProblem({ reason, usage }: ChatEnd, promptText: string): string | undefined {
  if (usage !== undefined && wasTruncated(promptText, usage.inputTokens))
    return `The model server read ${usage.inputTokens} tokens of a prompt of about ${estimateTokens(promptText)}: it cuts long prompts without a word. Give it a longer context (Ollama: OLLAMA_CONTEXT_LENGTH), or tell Octavo the context that it has.`
  if (reason === 'length') return 'The answer was cut at the most tokens that one may have.'
  return reason === 'filtered' ? 'The provider refused to answer.' : undefined
}

const refusesTools = ({ status, message }: ModelFailure) => status === 400 && /tool/i.test(message)

function printMessage(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? message.calls : []
  return [message.text, ...calls.map((call) => call.arguments)].join('\n')
}
