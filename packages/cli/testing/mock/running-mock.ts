/** Runs `octavo mock` like a user, on files that a test wrote, and sends requests to it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '../../src/context/system-clock.ts'
import { run } from '../../src/run.ts'

export class RunningMock implements AsyncDisposable {
  /** The printed URL, without a trailing slash. */
  readonly url: string
  readonly #output: { text: string }
  readonly #end: () => Promise<void>

  private constructor(url: string, output: { text: string }, end: () => Promise<void>) {
    this.url = url
    this.#output = output
    this.#end = end
  }

  /** Writes the files, and starts the command on one of them or on their folder. */
  static async start(files: Readonly<Record<string, string>>, source = '.'): Promise<RunningMock> {
    const cwd = mkdtempSync(join(tmpdir(), 'octavo-mock-'))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      writeFileSync(join(cwd, path), text)
    }
    const output = { text: '' }
    const started = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    const write = (text: string) => {
      output.text += text
      if (output.text.includes('Ctrl+C')) started.resolve()
    }
    const ended = run({
      args: ['mock', source, '--port', '0'],
      cwd,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined },
      clock: systemClock,
      out: { write },
      err: { write },
      waitForSignal: () => stopped.promise,
    }).then((code) => started.reject(new Error(`Exit code ${code}: ${output.text}`)))
    await started.promise
    const [url = ''] = /http:\/\/[\w.:]+/.exec(output.text) ?? []
    return new RunningMock(url, output, async () => {
      stopped.resolve()
      await ended
      rmSync(cwd, { recursive: true, force: true })
    })
  }

  /** What the command has printed so far. */
  get output(): string {
    return this.#output.text
  }

  /** Sends a request such as `GET /plants`, and returns its response with a parsed JSON body. */
  async send(request: string, init: RequestInit = {}) {
    const [method = 'GET', target = '/'] = request.split(' ')
    const response = await fetch(`${this.url}${target}`, { method, ...init })
    const text = await response.text()
    const isJson = /json$/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }

  /** Sends a JSON body, and returns the places and codes of the problems. */
  async problems(request: string, init: RequestInit = {}): Promise<readonly string[]> {
    const { body } = await this.send(request, init)
    const problems: readonly { readonly code: string; readonly place: string }[] =
      body?.problems ?? []
    return problems.map(({ code, place }) => `${code} ${place}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }
}
