import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** A local server for tests that records the requests it receives. */
export class TestServer implements AsyncDisposable {
  /** The requests in order, in the form `HEAD /path`. */
  readonly requests: string[] = []
  respond: Respond
  readonly #server = createServer((request, response) => {
    this.requests.push(`${request.method} ${request.url}`)
    this.respond(request, response)
  })

  static async start(respond: Respond): Promise<TestServer> {
    const started = new TestServer(respond)
    await new Promise<void>((resolve) => started.#server.listen(0, '127.0.0.1', resolve))
    return started
  }

  private constructor(respond: Respond) {
    this.respond = respond
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
