/** A page that is open in a browser: its current version, and the event stream that updates it. */
import type { ServerResponse } from 'node:http'
import type { SentPage, ShownProblems } from './sent-page.ts'

export class LiveConnection {
  readonly path: string
  readonly #response: ServerResponse
  /** The browser's version of the page; empty if it is unknown. */
  #version: string
  #html: string | undefined
  #problems = ''
  /** True once the page has been sent to the browser, which keeps it for the next diff. */
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

  /** Updates the browser to the current page. Returns true if the page changed. */
  show(page: SentPage): boolean {
    if (page.version === this.#version) {
      this.#html ??= page.html
      return false
    }
    if (this.#html === undefined || page.status !== 200) {
      // The browser's version is unknown, or the new page is not a 200 response.
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

  /** Reloads files whose content changed at the same URL. */
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
