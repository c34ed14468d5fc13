import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EmbedReply, EmbedRequest } from './embed-process.ts'
import type { LocalModel } from './find-model.ts'

export type Embedder = {
  /** Returns one vector for each text. */
  readonly embed: (texts: readonly string[]) => Promise<readonly Int8Array[]>
  /** Ends the process, if it is running. */
  readonly close: () => void
}

/** The process ends after this idle time, to free the memory of the model. */
const IDLE_MS = 30_000
/**
 * The maximum length of a text in characters. Longer texts are cut, since the model only reads the
 * first few hundred words.
 */
const TEXT_LENGTH_MAX = 4_000

type Waiting = {
  readonly resolve: (vectors: readonly Int8Array[]) => void
  readonly reject: (error: Error) => void
}

/**
 * A process with its own pending requests, so that an old process that ends late does not fail the
 * requests of its successor.
 */
type Running = { readonly child: ChildProcess; readonly waiting: Map<number, Waiting> }

/**
 * Creates an embedder that starts its process on the first request, and again after the process has
 * ended.
 */
export function createEmbedder(model: LocalModel, { idleMs = IDLE_MS } = {}): Embedder {
  let running: Running | undefined
  let idle: NodeJS.Timeout | undefined
  let count = 0
  const end = () => {
    clearTimeout(idle)
    running?.child.kill()
    running = undefined
  }
  const start = (): Running => {
    const child = fork(processFile(), [model.runtime, model.folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const waiting = new Map<number, Waiting>()
    const started = { child, waiting }
    child.on('message', (message: EmbedReply | 'ready') => {
      if (message === 'ready') return
      const request = waiting.get(message.id)
      waiting.delete(message.id)
      if ('vectors' in message) request?.resolve(message.vectors)
      else request?.reject(new Error(message.error))
      if (waiting.size === 0 && running === started) idle = setTimeout(end, idleMs).unref()
    })
    child.on('exit', () => {
      if (running === started) running = undefined
      for (const { reject } of waiting.values()) reject(new Error('The embedding process ended.'))
      waiting.clear()
    })
    // The `exit` handler rejects all pending requests.
    child.on('error', () => child.kill())
    return started
  }
  return {
    embed: (texts) => {
      clearTimeout(idle)
      running ??= start()
      const { child, waiting } = running
      count += 1
      const request: EmbedRequest = {
        id: count,
        texts: texts.map((text) => text.slice(0, TEXT_LENGTH_MAX)),
      }
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject })
        child.send(request)
      })
    },
    close: end,
  }
}

/**
 * Returns the path of the process's module, which is `.ts` in the repository and `.js` in the
 * package.
 */
function processFile(): string {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return fileURLToPath(new URL(`./embed-process.${ending}`, import.meta.url))
}
