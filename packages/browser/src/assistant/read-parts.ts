/** Reads the parts of an answer from an event stream. */
import type { Match } from './render-answer.ts'

export type AnswerPart =
  | { readonly type: 'text-delta'; readonly delta: string }
  | { readonly type: 'data-step'; readonly data: { readonly tool: string; readonly of: string } }
  | { readonly type: 'source-url'; readonly url: string; readonly title: string }
  | { readonly type: 'data-outcome'; readonly data: Outcome }
  | { readonly type: 'error'; readonly errorText: string }

export type Outcome = {
  readonly status: 'answered' | 'unanswered'
  readonly reason?: string
  readonly nearest: readonly { readonly url: string; readonly title: string }[]
  /** Excerpts of sections that match the question; undefined if a model answered. */
  readonly matches?: readonly Match[]
  /** Names in the question that do not occur in the documentation. */
  readonly missing?: readonly string[]
  /** The ID and token needed to rate the answer. */
  readonly conversation?: { readonly id: string; readonly token: string }
}

/** The maximum number of characters of an unfinished event. */
const EVENT_LENGTH_MAX = 1_000_000

/** Events of other types are skipped, since the service may be newer than the page. */
const KINDS = ['text-delta', 'data-step', 'source-url', 'data-outcome', 'error']

export async function readParts(
  stream: ReadableStream<Uint8Array>,
  give: (part: AnswerPart) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    rest += decoder.decode(value, { stream: !done })
    const events = rest.split(/\r?\n\r?\n/)
    rest = done ? '' : (events.pop() ?? '')
    if (rest.length > EVENT_LENGTH_MAX) throw new Error('An event is too long.')
    for (const event of events) {
      const part = readPart(event)
      if (part !== undefined) give(part)
    }
    if (done) return
  }
}

function readPart(event: string): AnswerPart | undefined {
  const data = event
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
    .join('\n')
  try {
    const part: unknown = JSON.parse(data)
    const { type } = Object(part) as { readonly type?: unknown }
    return KINDS.includes(String(type)) ? (part as AnswerPart) : undefined
  } catch {
    // The line is a comment, the end marker, or an event that a proxy has damaged.
    return undefined
  }
}
