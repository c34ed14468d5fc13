/**
 * The format of `/v1/chat/completions` in OpenAI, Azure, Ollama, vLLM, llama.cpp and LiteLLM. Uses
 * only fields that all of them accept. Ignores the fields `reasoning` and `reasoning_content`.
 */
import type { ChatMessage, TokenUsage, ToolCall } from './chat.ts'
import {
  ARGUMENTS_CHARACTERS_MAX,
  asCount,
  asName,
  asRecord,
  asText,
  CALLS_MAX,
  type ChatFormat,
  type ChatReader,
  errorText,
  TEMPERATURE,
} from './chat-format.ts'

export const OPENAI_FORMAT: ChatFormat = {
  path: 'chat/completions',
  writeBody: ({ system, messages, tools, outputTokensMax }, model, quirks) => ({
    model,
    messages: [{ role: 'system', content: system }, ...messages.map(writeMessage)],
    stream: true,
    ...(quirks.hasStreamOptions && { stream_options: { include_usage: true } }),
    ...(quirks.hasTemperature && { temperature: TEMPERATURE }),
    [quirks.maxTokensName]: outputTokensMax,
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    }),
  }),
  createReader,
}

function writeMessage(message: ChatMessage): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text,
        ...(message.calls.length > 0 && {
          tool_calls: message.calls.map(({ id, name, arguments: text }) => ({
            id,
            type: 'function',
            function: { name, arguments: text },
          })),
        }),
      }
  }
}

const END_REASONS: Readonly<Record<string, 'length' | 'filtered'>> = {
  length: 'length',
  content_filter: 'filtered',
}

function createReader(): ChatReader {
  const calls = new Map<number, ToolCall>()
  let finishReason: string | undefined
  let usage: TokenUsage | undefined
  return {
    take: (event) => {
      const chunk = asRecord(event)
      if (chunk.error !== undefined && chunk.error !== null)
        return { error: errorText(chunk) || 'an error' }
      usage = readUsage(chunk.usage) ?? usage
      // The chunk with the token usage has no choices.
      const choice = asRecord((chunk.choices as readonly unknown[] | undefined)?.[0])
      const delta = asRecord(choice.delta)
      if (Array.isArray(delta.tool_calls)) addCalls(calls, delta.tool_calls)
      finishReason = asText(choice.finish_reason) || finishReason
      return { text: asText(delta.content) }
    },
    end: () =>
      finishReason === undefined
        ? undefined
        : { reason: END_REASONS[finishReason] ?? 'stop', calls: [...calls.values()], usage },
  }
}

/**
 * Adds pieces of tool calls to the calls so far. Some servers omit the id. Some omit the index and
 * send each call as a whole.
 */
function addCalls(calls: Map<number, ToolCall>, pieces: readonly unknown[]): void {
  for (const piece of pieces) {
    const { index, id, function: called } = asRecord(piece)
    const { name, arguments: text } = asRecord(called)
    const place = typeof index === 'number' ? index : calls.size
    if (calls.size >= CALLS_MAX && !calls.has(place)) continue
    const known = calls.get(place)
    const added = typeof text === 'object' && text !== null ? JSON.stringify(text) : asText(text)
    calls.set(place, {
      id: known?.id ?? (asName(id) || `call-${place + 1}`),
      name: known?.name || asName(name),
      arguments: ((known?.arguments ?? '') + added).slice(0, ARGUMENTS_CHARACTERS_MAX),
    })
  }
}

function readUsage(value: unknown): TokenUsage | undefined {
  const { prompt_tokens: input, completion_tokens: output } = asRecord(value)
  if (typeof input !== 'number') return undefined
  return { inputTokens: asCount(input), outputTokens: asCount(output) }
}
