import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EmbedReply, EmbedRequest } from './embed-process.ts'
import type { LocalModel } from './find-model.ts'

export type Embedder = {
  /** One vector for each text. */
  readonly embed: (texts: readonly string[]) => Promise<readonly Int8Array[]>
  /** Ends the process, if there is one. */
  readonly close: () => void
}

/** The process has the model in memory, so it ends when nobody has asked for so long. */
const IDLE_MS = 30_000
/** Characters of a text; the model reads the first few hundred words of it. */
const TEXT_LENGTH_MAX = 4_000

type Waiting = {
  readonly resolve: (vectors: readonly Int8Array[]) => void
  readonly reject: (error: Error) => void
}

/** Starts the process when it is first asked, and again after it ended. */
export function createEmbedder(model: LocalModel, { idleMs = IDLE_MS } = {}): Embedder {
  const waiting = new Map<number, Waiting>()
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let count = 0
  const end = () => {
    clearTimeout(idle)
    child?.kill()
    child = undefined
  }
  const start = (): ChildProcess => {
    const started = fork(processFile(), [model.runtime, model.folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    started.on('message', (message: EmbedReply | 'ready') => {
      if (message === 'ready') return
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if ('vectors' in message) asked?.resolve(message.vectors)
      else asked?.reject(new Error(message.error))
      if (waiting.size === 0) idle = setTimeout(end, idleMs).unref()
    })
    started.on('exit', () => {
      if (child === started) child = undefined
      for (const { reject } of waiting.values()) reject(new Error('The embedding process ended.'))
      waiting.clear()
    })
    // Nobody waits for the process itself, only for its replies.
    started.on('error', () => started.kill())
    return started
  }
  return {
    embed: (texts) => {
      clearTimeout(idle)
      child ??= start()
      count += 1
      const request: EmbedRequest = {
        id: count,
        texts: texts.map((text) => text.slice(0, TEXT_LENGTH_MAX)),
      }
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject })
        child?.send(request)
      })
    },
    close: end,
  }
}

/** Beside this file, as it stands in the repository or in the package. */
function processFile(): string {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return fileURLToPath(new URL(`./embed-process.${ending}`, import.meta.url))
}
