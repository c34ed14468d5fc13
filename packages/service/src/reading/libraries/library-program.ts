/**
 * The program of a library process. It reads untrusted files of deployments, so it may be stopped
 * at any time. It runs one step at a time, and requests every file from its parent process.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { VectorSet } from '@octavo/embeddings'
import {
  type DeploymentFile,
  embeddingTexts,
  type LibraryFiles,
  openLibrary,
  type QuestionVectors,
  UnreadableIndex,
  type WantedFile,
} from '@octavo/search'
import { inflateFile } from './inflate-file.ts'
import type {
  AskedFile,
  LibraryCall,
  LibraryOutcome,
  LibraryReply,
  LibraryResult,
  OpenedFacts,
  OpenedView,
  SentFile,
  SentStep,
} from './library-messages.ts'

/** The maximum number of questions whose vectors are cached. */
const QUESTIONS_MAX = 50
const TEXT_BYTES = 32

type Held = OpenedFacts & {
  readonly call: (call: LibraryCall) => Promise<unknown>
  readonly countBytes: () => number
}

/** Makes the kernel kill this process first if the machine runs out of memory. */
function preferOomKill(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // This file exists only on Linux.
  }
}

class LibraryProgram {
  readonly #held = new Map<string, Held>()
  readonly #waiting = new Map<number, (file: SentFile) => void>()
  readonly #requests = new AsyncLocalStorage<number>()
  #asked: AskedFile[] = []
  #results: LibraryResult[] = []
  #count = 0

  serve(): void {
    process.on('message', (step: SentStep) => this.#take(step))
    // The process ends with its parent.
    process.on('disconnect', () => process.exit())
    this.#reply(0)
  }

  #take(step: SentStep): void {
    const startedAt = process.cpuUsage()
    this.#asked = []
    this.#results = []
    const { request } = step
    for (const key of step.closes) this.#held.delete(key)
    if (step.kind === 'files') {
      for (const file of step.files) {
        this.#waiting.get(file.id)?.(file)
        this.#waiting.delete(file.id)
      }
    } else {
      void this.#requests.run(request, async () => {
        const outcome = await this.#run(step)
        this.#results.push({ request, ...outcome })
      })
    }
    // Requests only ever wait for files, so when this runs, all other possible work is done.
    setImmediate(() => {
      const { user, system } = process.cpuUsage(startedAt)
      this.#reply((user + system) / 1_000)
    })
  }

  #reply(cpuMs: number): void {
    const reply: LibraryReply = { asked: this.#asked, results: this.#results, cpuMs }
    process.send?.(reply)
  }

  async #run(step: SentStep): Promise<LibraryOutcome> {
    try {
      if (step.kind === 'open') {
        const one = await this.#open(step.of)
        this.#held.set(step.key, one)
        const value: OpenedFacts = { vectorBytes: one.vectorBytes }
        return { kind: 'value', value, bytes: one.countBytes() }
      }
      const one = step.kind === 'call' ? this.#held.get(step.key) : undefined
      if (step.kind !== 'call' || one === undefined) return { kind: 'closed' }
      return { kind: 'value', value: await one.call(step.call), bytes: one.countBytes() }
    } catch (error) {
      if (error instanceof FileNotSent) return { kind: 'failed' }
      return { kind: 'unreadable', reason: reasonOf(error) }
    }
  }

  async #open(of: OpenedView): Promise<Held> {
    const { root, fileCount, scope, reader, libraryBytes: heldBytesMax } = of
    const read = (wanted: WantedFile) => this.#read(wanted)
    const files: LibraryFiles = { root: { ...root, runs: [{ count: fileCount }] }, read }
    const pause = async () => {
      await this.#ask({ kind: 'pause' })
    }
    const view = { scope, reader, inflate: inflateFile, heldBytesMax, pause }
    if (of.kind === 'texts') return holdTexts(await embeddingTexts(files, view, of))
    const { vectors: sent } = of
    const questions = new Map<string, Int8Array>()
    const vectors = sent && questionVectors(await this.#readVectors(sent.parts), questions, sent)
    const library = await openLibrary(files, { ...view, vectors })
    return {
      vectorBytes: library.vectorBytes ?? 0,
      countBytes: library.countBytes,
      call: ({ method, args, vector }) => {
        if (vector !== undefined) remember(questions, vector)
        if (method === 'texts') throw new Error('This process cannot read the texts of a library.')
        const run = library[method] as (...values: readonly unknown[]) => Promise<unknown>
        return run(...args)
      },
    }
  }

  async #read(wanted: WantedFile): Promise<DeploymentFile | undefined> {
    const sent = await this.#ask({ kind: 'file', wanted })
    return sent.kind === 'file' ? sent.file : undefined
  }

  async #readVectors(parts: number): Promise<VectorSet> {
    const pieces: Uint8Array[] = []
    for (let part = 0; part < parts; part += 1) {
      const sent = await this.#ask({ kind: 'vectors', part })
      if (sent.kind === 'vectors') pieces.push(sent.bytes)
    }
    return VectorSet.parse(Buffer.concat(pieces))
  }

  async #ask(file: WithoutIds<AskedFile>): Promise<SentFile> {
    this.#count += 1
    const id = this.#count
    this.#asked.push({ ...file, id, request: this.#requests.getStore() ?? 0 })
    const sent = await new Promise<SentFile>((resolve) => this.#waiting.set(id, resolve))
    if (sent.kind === 'failed') throw new FileNotSent('A file was not sent.')
    return sent
  }
}

class FileNotSent extends Error {}

type WithoutIds<File> = File extends AskedFile ? Omit<File, 'id' | 'request'> : never

/**
 * Returns the reason for an error. Even an unexpected error only affects the library of this site.
 */
function reasonOf(error: unknown): string {
  if (error instanceof UnreadableIndex) return error.message
  return `unexpected: ${error instanceof Error ? (error.stack ?? '').slice(0, 500) : ''}`
}

function questionVectors(
  vectors: VectorSet,
  questions: ReadonlyMap<string, Int8Array>,
  { isOtherModel }: Pick<QuestionVectors, 'isOtherModel'>,
): QuestionVectors {
  return {
    of: (chunk) => vectors.of(chunk),
    embed: async (question) => questions.get(question),
    isOtherModel: isOtherModel === true,
  }
}

function remember(
  questions: Map<string, Int8Array>,
  { question, numbers }: NonNullable<LibraryCall['vector']>,
): void {
  questions.delete(question)
  questions.set(question, numbers)
  const [oldest] = questions.keys()
  if (questions.size > QUESTIONS_MAX && oldest !== undefined) questions.delete(oldest)
}

function holdTexts(texts: readonly string[]): Held {
  return {
    vectorBytes: 0,
    countBytes: () => texts.reduce((sum, text) => sum + text.length * 2 + TEXT_BYTES, 0),
    call: async ({ args: [from, limit] }) => ({
      texts: texts.slice(Number(from), Number(from) + Number(limit)),
      total: texts.length,
    }),
  }
}

preferOomKill()
new LibraryProgram().serve()
