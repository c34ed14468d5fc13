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

/** The process keeps the model in memory, so it ends after this idle time. */
const IDLE_MS = 30_000
/** The maximum length of a text in characters; the model only reads its first few hundred words. */
const TEXT_LENGTH_MAX = 4_000

type Waiting = {
  readonly resolve: (vectors: readonly Int8Array[]) => void
  readonly reject: (error: Error) => void
}

/**
 * A process with its pending requests: one that ends late must not fail requests of the next one.
 */
type Running = { readonly child: ChildProcess; readonly waiting: Map<number, Waiting> }

/** Starts the process on the first request, and again after it ended. */
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
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if ('vectors' in message) asked?.resolve(message.vectors)
      else asked?.reject(new Error(message.error))
      if (waiting.size === 0 && running === started) idle = setTimeout(end, idleMs).unref()
    })
    child.on('exit', () => {
      if (running === started) running = undefined
      for (const { reject } of waiting.values()) reject(new Error('The embedding process ended.'))
      waiting.clear()
    })
    // Errors of the process itself are handled by failing its requests.
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

/** Returns the file next to this one, in the repository or in the package. */
function processFile(): string {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return fileURLToPath(new URL(`./embed-process.${ending}`, import.meta.url))
}
