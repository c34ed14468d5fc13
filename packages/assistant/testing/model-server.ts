/** A model server on loopback. Tests define how it responds to each request. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export type ModelBehavior = (response: ServerResponse, body: unknown) => void

export type ModelServer = {
  readonly url: string
  readonly requests: {
    readonly url: string
    readonly headers: IncomingHttpHeaders
    // biome-ignore lint/suspicious/noExplicitAny: each test knows which body it expects.
    readonly body: any
  }[]
  /** Sets how the server responds to the next requests. The last behavior is repeated. */
  readonly behave: (...behaviors: ModelBehavior[]) => void
  readonly stop: () => void
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelServer['requests'] = []
  let next: ModelBehavior[] = []
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined
    requests.push({ url: request.url ?? '', headers: request.headers, body })
    const [behave = refuse(500)] = next.length > 1 ? next.splice(0, 1) : next
    behave(response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (...behaviors) => {
      requests.length = 0
      next = behaviors
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export function refuse(
  status: number,
  message = 'no',
  headers: Record<string, string> = {},
): ModelBehavior {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message } }))
}

/** Streams events and ends the response. Objects are sent as JSON, strings unchanged. */
export function stream(...events: readonly (object | string)[]): ModelBehavior {
  return (response) => {
    startStream(response, ...events)
    response.end()
  }
}

/** Streams events and keeps the response open. */
export function streamOpen(...events: readonly (object | string)[]): ModelBehavior {
  return (response) => startStream(response, ...events)
}

/** Streams events and then closes the connection before the response ends. */
export function streamCut(...events: readonly (object | string)[]): ModelBehavior {
  return (response) => {
    startStream(response, ...events)
    setImmediate(() => response.destroy())
  }
}

export function startStream(
  response: ServerResponse,
  ...events: readonly (object | string)[]
): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    if (typeof event === 'string') response.write(`data: ${event}\n\n`)
    else {
      const { type } = event as { readonly type?: string }
      const name = type === undefined ? '' : `event: ${type}\n`
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
    }
  }
}

export const DONE = '[DONE]'

/** Returns an event with a piece of text in OpenAI's format. */
export const piece = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })

export const finish = (finish_reason = 'stop') => ({
  choices: [{ index: 0, delta: {}, finish_reason }],
})

export const usage = (prompt_tokens: number, completion_tokens = 7) => ({
  choices: [],
  usage: { prompt_tokens, completion_tokens },
})

/** Streams a whole answer in pieces of a few characters. */
export function answer(text: string, promptTokens?: number): ModelBehavior {
  const pieces = text.match(/[\s\S]{1,5}/gu) ?? []
  const counted = promptTokens === undefined ? [] : [usage(promptTokens)]
  return stream(...pieces.map(piece), finish(), ...counted, DONE)
}

/** Streams a complete call of one tool. */
export function callTool(name: string, input: object | string, id?: string): ModelBehavior {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  const call = { index: 0, ...(id !== undefined && { id }), function: { name, arguments: text } }
  return stream(
    { choices: [{ index: 0, delta: { tool_calls: [call] } }] },
    finish('tool_calls'),
    DONE,
  )
}
