/** One open page in a browser: what it shows by now, and the stream that tells it what has changed. */
import type { ServerResponse } from 'node:http'
import type { SentPage, ShownProblems } from './sent-page.ts'

export class LiveConnection {
  readonly path: string
  readonly #response: ServerResponse
  /** What the browser has; missing until it is known. */
  #version: string
  #html: string | undefined
  #problems = ''
  /** It keeps the text of the page since it was sent one. */
  #hasPage = false

  constructor(
    response: ServerResponse,
    asked: { readonly path: string; readonly version: string },
  ) {
    this.#response = response
    this.path = asked.path
    this.#version = asked.version
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    })
    response.write('retry: 1000\n\n')
  }

  /** Brings the browser to what the page is now. True when that was something new. */
  show(page: SentPage): boolean {
    if (page.version === this.#version) {
      this.#html ??= page.html
      return false
    }
    if (this.#html === undefined || page.status !== 200) {
      // It has something that we do not know, or there is nothing to bring it to.
      this.load()
    } else {
      const { version, html } = page
      const before = this.#hasPage ? {} : { before: this.#html }
      this.#send({ kind: 'page', ...before, after: html, version })
      this.#hasPage = true
    }
    this.#version = page.version
    this.#html = page.html
    return true
  }

  showProblems(shown: ShownProblems): void {
    const text = JSON.stringify(shown)
    if (text !== this.#problems) this.#send({ kind: 'problems', ...shown })
    this.#problems = text
  }

  /** Files that have another content at the same address. */
  showFiles(urls: readonly string[]): void {
    if (urls.length > 0) this.#send({ kind: 'files', urls })
  }

  load(): void {
    this.#send({ kind: 'load' })
  }

  #send(message: unknown): void {
    this.#response.write(`data: ${JSON.stringify(message)}\n\n`)
  }
}
