/** Runs `octavo build` and `octavo preview` like a user, on a site that a test wrote. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '../../src/context/system-clock.ts'
import { run } from '../../src/run.ts'

export class WrittenSite implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'octavo-preview-'))

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.root, 'docs', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }

  async octavo(...args: readonly string[]) {
    let out = ''
    let err = ''
    const code = await run({
      args,
      cwd: this.root,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined },
      clock: systemClock,
      out: { write: (text) => (out += text) },
      err: { write: (text) => (err += text) },
    })
    return { code, out, err }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}

export class RunningPreview implements AsyncDisposable {
  /** The printed URL, with the base path and a trailing slash. */
  readonly url: string
  readonly #stop: () => void
  readonly #ended: Promise<unknown>

  private constructor(url: string, stop: () => void, ended: Promise<unknown>) {
    this.url = url
    this.#stop = stop
    this.#ended = ended
  }

  static async start(cwd: string, folder: string): Promise<RunningPreview> {
    const announced = Promise.withResolvers<string>()
    const stopped = Promise.withResolvers<void>()
    const ended = run({
      args: ['preview', folder, '--port', '0'],
      cwd,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined },
      clock: systemClock,
      out: { write: (text) => announced.resolve(text) },
      err: { write: (text) => announced.reject(new Error(text)) },
      waitForSignal: () => stopped.promise,
    })
    const [url = ''] = /http:\S+/.exec(await announced.promise) ?? []
    return new RunningPreview(url, stopped.resolve, ended)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop()
    await this.#ended
  }
}
