/** Runs `octavo dev` in its own process on its own folder, as an author does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builderVersion, buildSite } from '@octavo/builder'

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const CLIENT =
  /<script type="module" src="\/_octavo\/dev\/client\.js" data-octavo-dev="\w+"><\/script>/

export class RunningDev implements AsyncDisposable {
  readonly root: string
  readonly folder: string
  readonly origin: string
  readonly #process: ChildProcess
  readonly #output: { text: string }

  private constructor(
    root: string,
    started: { readonly process: ChildProcess; readonly output: { text: string }; origin: string },
  ) {
    this.root = root
    this.folder = join(root, 'docs')
    this.#process = started.process
    this.#output = started.output
    this.origin = started.origin
  }

  static async start(
    files: Readonly<Record<string, string>>,
    options: readonly string[] = [],
  ): Promise<RunningDev> {
    const root = mkdtempSync(join(tmpdir(), 'octavo-dev-'))
    writeFiles(join(root, 'docs'), files)
    const args = [MAIN, 'dev', join(root, 'docs'), '--port', '0', ...options]
    const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const output = { text: '' }
    const ready = Promise.withResolvers<string>()
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output.text += text
        const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(output.text) ?? []
        if (origin !== undefined) ready.resolve(origin)
      })
    }
    server.once('exit', () => ready.reject(new Error(output.text)))
    return new RunningDev(root, { process: server, output, origin: await ready.promise })
  }

  /** The whole output to the terminal so far. */
  get output(): string {
    return this.#output.text
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** Types text into the terminal. */
  type(text: string): void {
    this.#process.stdin?.write(text)
  }

  write(files: Readonly<Record<string, string>>): void {
    writeFiles(this.folder, files)
  }

  /** Returns a page without the script that only this server adds. */
  async page(path: string): Promise<string> {
    const response = await fetch(`${this.origin}/${path}`)
    const html = await response.text()
    if (!CLIENT.test(html)) throw new Error(`No script in ${path}: ${html.slice(0, 200)}`)
    return html.replace(CLIENT, '')
  }

  /**
   * Returns all pages of a fresh build by path, without redirect pages, which the server handles
   * itself.
   */
  async build(): Promise<ReadonlyMap<string, string>> {
    const output = join(this.root, 'out')
    const cacheFolder = join(this.root, 'cache')
    rmSync(output, { recursive: true, force: true })
    await buildSite({ folder: this.folder, output, cacheFolder, version: builderVersion() })
    const files = readdirSync(output, { recursive: true, encoding: 'utf8' })
    const pages = files.filter((file) => /(?:^|\/)index\.html$/.test(file)).toSorted()
    const texts = pages.map((file) => {
      const address = file.replace(/\/?index\.html$/, '')
      return [address, readFileSync(join(output, file), 'utf8')] as const
    })
    return new Map(texts.filter(([, html]) => !html.includes('<meta http-equiv="refresh"')))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) {
      this.#process.kill('SIGTERM')
      await once(this.#process, 'exit')
    }
    rmSync(this.root, { recursive: true, force: true })
  }
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Polls a value until it is as expected; after a timeout, returns the last value. */
export async function eventually<Value>(
  ask: () => Promise<Value> | Value,
  isRight: (value: Value) => boolean,
): Promise<Value> {
  const started = Date.now()
  for (;;) {
    const value = await ask()
    if (isRight(value) || Date.now() - started > 30_000) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
