/**
 * Parses requests from the pages of a site. Only fields that are used are kept. Strings are limited
 * in length and can be stored in the database.
 */
import type { IncomingMessage } from 'node:http'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import type { Question } from '@octavo/search'
import { z } from 'zod'
import { parseBody, readBody, storable } from '../../platform/http/reader-body.ts'
import { Problem } from '../../platform/problem.ts'
import { type Proof, ProofBody } from './proof-of-work.ts'

const L = ASSISTANT_LIMITS

/** A message of the AI SDK. All parts except text are ignored. */
const Message = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  parts: z
    .array(z.object({ type: z.string().max(100), text: z.string().optional() }))
    .max(L.partsOfMessage),
})

/** Contains the fields that `useChat` sends and those that the page adds. */
const QuestionBody = z.object({
  id: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional(),
  messages: z.array(Message).min(1).max(L.messages),
  ticket: z.string().max(500),
  page: z.string().max(L.pageLength).optional(),
  selection: z.string().max(L.selectionLength).optional(),
  /** The language and version whose pages are searched, by the name that the site's search uses. */
  scope: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .optional(),
})

const FeedbackBody = z.strictObject({
  conversation: z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
  token: z.string().max(100),
  helpful: z.boolean(),
  reason: z.enum(['incorrect', 'incomplete', 'off-topic', 'outdated', 'slow', 'other']).optional(),
  note: z.string().max(L.noteLength).optional(),
})

export type AskedQuestion = {
  readonly question: Question
  readonly threadId: string | undefined
  readonly ticket: string
  readonly scope: string | undefined
}

export function parseQuestion(body: Buffer, basePath: string): AskedQuestion {
  const { id, messages, ticket, page, selection, scope } = parseBody(QuestionBody, body)
  const textOf = ({ parts }: z.infer<typeof Message>) =>
    storable(parts.flatMap(({ type, text }) => (type === 'text' ? (text ?? '') : [])).join('\n'))
  const lastMessage = messages.at(-1)
  const text = lastMessage?.role === 'user' ? textOf(lastMessage).trim() : ''
  if (text === '' || text.length > L.questionLength)
    throw new Problem(
      'invalid-request',
      `Expected a question of at most ${L.questionLength} characters as the last message.`,
      { param: 'messages' },
    )
  const history = messages
    .slice(0, -1)
    .slice(-L.historyMessages)
    .flatMap((message) =>
      message.role === 'system'
        ? []
        : [{ role: message.role, text: textOf(message).slice(0, L.historyTextLength) }],
    )
  const url = page === undefined ? undefined : pathOfPage(page, basePath)
  const marked = storable(selection ?? '').trim()
  return {
    question: {
      text,
      history,
      ...(url !== undefined && { page: { url, ...(marked !== '' && { selection: marked }) } }),
    },
    threadId: id,
    ticket,
    scope,
  }
}

export async function readFeedback(request: IncomingMessage) {
  return parseBody(FeedbackBody, await readBody(request))
}

export async function readProof(request: IncomingMessage): Promise<Proof> {
  return parseBody(ProofBody, await readBody(request))
}

/**
 * Returns the path of the page below the base path. The host in the URL is untrusted and ignored.
 */
function pathOfPage(page: string, basePath: string): string | undefined {
  const path = URL.parse(page, 'https://site.invalid')?.pathname ?? ''
  if (path === basePath) return '/'
  if (!path.startsWith(`${basePath}/`)) return undefined
  return path.slice(basePath.length).replace(/(?<=.)\/+$/, '')
}
