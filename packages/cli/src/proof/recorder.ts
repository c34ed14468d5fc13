/** Records the requests that a sample sends, and answers them as the API would. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MockRequest, MockResponse, RecordedPart, RecordedRequest } from '@octavo/openapi'
import { readRequest, sendResponse } from '../mock/answer-request.ts'

/** Returns the documented response; undefined for an unknown request. */
export type Respond = (request: MockRequest) => MockResponse | undefined

/** More requests of one sample are answered, but not recorded. */
const REQUESTS_MAX = 100
/** The time that the last requests may take after the sample has ended. */
const CLOSE_MS_MAX = 2_000

export class Recorder {
  readonly origin: string
  readonly requests: RecordedRequest[] = []
  readonly #server: Server

  private constructor(server: Server, respond: Respond) {
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => {
      this.#record(request, response, respond).catch(() => response.destroy())
    })
  }

  static async open(respond: Respond): Promise<Recorder> {
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    return new Recorder(server, respond)
  }

  /** Resolves after the requests that have arrived are recorded. The sample must have ended. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    const timer = setTimeout(() => this.#server.closeAllConnections(), CLOSE_MS_MAX)
    await closed
    clearTimeout(timer)
  }

  async #record(
    request: IncomingMessage,
    response: ServerResponse,
    respond: Respond,
  ): Promise<void> {
    const message = await readRequest(request, request.url ?? '/')
    if (message === undefined) {
      response.writeHead(413).end()
      return
    }
    const parts = await readParts(message)
    if (this.requests.length < REQUESTS_MAX) this.requests.push({ ...message, parts })
    const answer = respond(message)
    // A client would follow a redirect to another server.
    const isRedirect = answer !== undefined && answer.status >= 300 && answer.status < 400
    if (answer === undefined || isRedirect) response.writeHead(isRedirect ? 200 : 404).end()
    else sendResponse(response, answer)
  }
}

async function readParts({
  headers,
  body,
  form,
}: MockRequest): Promise<readonly RecordedPart[] | undefined> {
  if (form === undefined) return undefined
  const init = { headers: { 'content-type': headers.get('content-type') ?? '' } }
  const fields = await new Response(Buffer.from(body), init).formData()
  return Promise.all(
    [...fields].map(async ([name, value]): Promise<RecordedPart> => {
      if (typeof value === 'string') return { name, content: value }
      return { name, fileName: value.name, content: await value.text() }
    }),
  )
}
