/**
 * Sends an answer to the reader. Browsers get the UI message stream of the AI SDK, so that
 * `useChat` works unchanged. Other programs get Markdown. A page requests JSON if a proxy buffers
 * streams.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { INERT_POLICY } from '@octavo/model'
import type { AnswerPart, AnswerSource, Match, UnansweredReason } from '@octavo/search'
import { ALWAYS, sendUncached } from '../../platform/http/send-response.ts'

/** A finished answer with absolute URLs. */
export type FinishedAnswer = {
  readonly text: string
  readonly status: 'answered' | 'unanswered'
  readonly reason?: UnansweredReason | undefined
  readonly category?: string | undefined
  readonly sources: readonly AnswerSource[]
  readonly nearest: readonly AnswerSource[]
  /** Excerpts of matching sections; undefined if a model answered. */
  readonly matches?: readonly Match[] | undefined
  /** Names in the question that the documentation does not contain. */
  readonly missing?: readonly string[] | undefined
  /** The deployment that the answer was generated from. */
  readonly deployment: string
  /**
   * The id and the token with which the reader can send feedback; undefined if the conversation is
   * not recorded.
   */
  readonly conversation?: { readonly id: string; readonly token: string } | undefined
}

export type AnswerWriter = {
  readonly start: (id: string) => void
  /** Sends a part of the answer. Waits if the reader has not received the previous parts yet. */
  readonly give: (part: AnswerPart) => Promise<void>
  readonly end: (answer: FinishedAnswer) => void
  /**
   * Ends the response with an error. Returns false if no part has been sent yet, in which case the
   * caller can send a problem instead.
   */
  readonly fail: (message: string) => boolean
}

const COMMENT_EVERY_MS = 15_000
const HEADERS = { 'content-security-policy': INERT_POLICY }

export function createAnswerWriter(
  { headers }: IncomingMessage,
  response: ServerResponse,
): AnswerWriter {
  const { accept = '' } = headers
  if (accept.includes('text/event-stream')) return createStreamWriter(response)
  if (/text\/(?:markdown|plain)/.test(accept)) return markdownWriter(response)
  return accept.includes('application/json') ? jsonWriter(response) : createStreamWriter(response)
}

function createStreamWriter(response: ServerResponse): AnswerWriter {
  const TEXT_ID = 'text'
  let isTextOpen = false
  let timer: NodeJS.Timeout | undefined
  const send = (part: object | string) => {
    if (response.destroyed) return
    response.write(`data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`)
  }
  const finish = () => {
    clearInterval(timer)
    send('[DONE]')
    response.end()
  }
  const closeText = () => {
    if (isTextOpen) send({ type: 'text-end', id: TEXT_ID })
    isTextOpen = false
  }
  return {
    start(messageId) {
      response.writeHead(200, {
        ...ALWAYS,
        ...HEADERS,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-vercel-ai-ui-message-stream': 'v1',
        'x-accel-buffering': 'no',
      })
      send({ type: 'start', messageId })
      timer = setInterval(() => response.write(':\n\n'), COMMENT_EVERY_MS)
      response.once('close', () => clearInterval(timer))
    },
    async give(part) {
      if (part.type === 'step') send({ type: 'data-step', data: { tool: part.tool, of: part.of } })
      else {
        if (!isTextOpen) send({ type: 'text-start', id: TEXT_ID })
        isTextOpen = true
        send({ type: 'text-delta', id: TEXT_ID, delta: part.text })
      }
      if (response.writableNeedDrain && !response.destroyed)
        await Promise.race([once(response, 'drain'), once(response, 'close')])
    },
    end({ text: _, sources, ...outcome }) {
      closeText()
      for (const [index, { url, title }] of sources.entries())
        send({ type: 'source-url', sourceId: String(index + 1), url, title })
      send({ type: 'data-outcome', data: outcome })
      send({ type: 'finish' })
      finish()
    },
    fail(message) {
      if (!response.headersSent) return false
      closeText()
      send({ type: 'error', errorText: message })
      finish()
      return true
    },
  }
}

/** Creates a writer that sends the whole answer at the end. */
function createBufferedWriter(send: (answer: FinishedAnswer) => void): AnswerWriter {
  return { start: () => {}, give: async () => {}, end: send, fail: () => false }
}

function jsonWriter(response: ServerResponse): AnswerWriter {
  return createBufferedWriter((answer) => {
    const body = JSON.stringify(answer)
    sendUncached(response, 200, { type: 'application/json', body }, HEADERS)
  })
}

function markdownWriter(response: ServerResponse): AnswerWriter {
  return createBufferedWriter(({ text, status, sources, nearest, matches = [] }) => {
    const list = (heading: string, of: readonly AnswerSource[]) =>
      of.length === 0 ? [] : [`${heading}:\n`, ...of.map(printLink)]
    const excerpts = matches.map((match) => `## ${printLabel(match)}\n\n${match.text}\n`)
    const pages = matches.length === 0 ? list('Nearest pages', nearest) : []
    const links = [...list('Sources', sources), ...pages]
    const body = `${[text.trimEnd(), '', ...links, ...excerpts].join('\n').trimEnd()}\n`
    const more = { ...HEADERS, 'x-octavo-resolution-status': status }
    sendUncached(response, 200, { type: 'text/markdown', body }, more)
  })
}

function printLink(source: AnswerSource): string {
  return `- ${printLabel(source)}`
}

function printLabel({ title, url }: AnswerSource): string {
  const label = title.replaceAll(/[\\[\]`*_<>]/g, '\\$&').replaceAll(/\s+/g, ' ')
  return `[${label}](<${url.replaceAll(/[<>\s\\]/g, encodeURIComponent)}>)`
}
