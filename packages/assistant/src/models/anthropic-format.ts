/**
 * The format of Anthropic's `/v1/messages`, which llama.cpp and LiteLLM also support. Thinking
 * blocks are ignored.
 */
import type { ChatEnd, ChatMessage, ToolCall } from './chat.ts'
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

export const ANTHROPIC_FORMAT: ChatFormat = {
  path: 'messages',
  writeBody: ({ system, messages, tools, outputTokensMax }, model, { hasTemperature }) => ({
    model,
    system,
    messages: writeMessages(messages),
    max_tokens: outputTokensMax,
    stream: true,
    ...(hasTemperature && { temperature: TEMPERATURE }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    }),
  }),
  createReader,
}

/**
 * Writes the messages. Their roles have to alternate, so consecutive tool results become one
 * message.
 */
function writeMessages(messages: readonly ChatMessage[]): readonly object[] {
  const written: { role: 'user' | 'assistant'; content: object[] }[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const last = written.at(-1)
    if (last?.role === role) last.content.push(...writeContent(message))
    else written.push({ role, content: writeContent(message) })
  }
  return written
}

function writeContent(message: ChatMessage): object[] {
  if (message.role === 'tool')
    return [{ type: 'tool_result', tool_use_id: message.callId, content: message.text }]
  // The API rejects empty text.
  const text = message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }]
  if (message.role === 'user') return text
  const calls = message.calls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: parseInput(call.arguments),
  }))
  return [...text, ...calls]
}

/**
 * Parses the arguments of a tool call. The API requires an object, even if the model wrote
 * something else.
 */
function parseInput(text: string): object {
  try {
    return asRecord(JSON.parse(text))
  } catch {
    return {}
  }
}

const END_REASONS: Readonly<Record<string, ChatEnd['reason']>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'filtered',
}

function createReader(): ChatReader {
  const calls = new Map<number, ToolCall>()
  let stopReason: string | undefined
  let input: number | undefined
  let output = 0
  const readUsage = (value: unknown) => {
    const usage = asRecord(value)
    // Tokens from the provider's cache count as input tokens too.
    const names = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
    const total = names.reduce((sum, name) => sum + asCount(usage[name]), 0)
    if (total > 0) input = total
    output = asCount(usage.output_tokens) || output
  }
  return {
    take: (event) => {
      const { type, index, message, content_block, delta, usage, ...rest } = asRecord(event)
      const place = asCount(index)
      switch (type) {
        case 'error':
          return { error: errorText(rest) || 'an error' }
        case 'message_start':
          readUsage(asRecord(message).usage)
          return {}
        case 'content_block_start': {
          const block = asRecord(content_block)
          if (block.type === 'tool_use' && calls.size < CALLS_MAX) {
            const id = asName(block.id) || `call-${place + 1}`
            calls.set(place, { id, name: asName(block.name), arguments: '' })
          }
          return { text: asText(block.text) }
        }
        case 'content_block_delta': {
          const call = calls.get(place)
          const { partial_json: json, text } = asRecord(delta)
          if (call !== undefined) {
            const all = (call.arguments + asText(json)).slice(0, ARGUMENTS_CHARACTERS_MAX)
            calls.set(place, { ...call, arguments: all })
          }
          return { text: asText(text) }
        }
        case 'message_delta':
          readUsage(usage)
          stopReason = asText(asRecord(delta).stop_reason) || stopReason
          return {}
        default:
          return {}
      }
    },
    end: () =>
      stopReason === undefined
        ? undefined
        : {
            reason: END_REASONS[stopReason] ?? 'stop',
            calls: [...calls.values()],
            usage: input === undefined ? undefined : { inputTokens: input, outputTokens: output },
          },
  }
}
