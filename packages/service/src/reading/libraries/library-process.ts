import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { UnreadableIndex } from '@octavo/search'
import { libraryProgramFile } from '../../platform/own-files.ts'
import type { LaneLimits } from './lane-limits.ts'
import type { LibraryReply, SentStep } from './library-messages.ts'

/** The process took too long for the one who gets this, and was stopped. */
export class ProcessMisused extends UnreadableIndex {}

/** The process ended while it worked for the one who gets this, perhaps because of it. */
export class ProcessEnded extends Error {}

const START_MS_MAX = 20_000

export type LibraryProcess = {
  /** Sends a step and waits for its reply. There must be no other step at the same time. */
  readonly exchange: (step: SentStep) => Promise<LibraryReply>
  readonly stop: () => void
}

type Waiting = {
  readonly resolve: (reply: LibraryReply) => void
  readonly reject: (error: Error) => void
}

/**
 * A process and no thread: the heap limit of a thread holds for small objects only. One large array in
 * it ends the whole process that it is in, which is what must not happen (decision 0048).
 */
export function startLibraryProcess(
  { heapMb, stepMs }: LaneLimits,
  onEnd: () => void,
): LibraryProcess {
  const child = fork(libraryProgramFile(), {
    execArgv: [`--max-old-space-size=${heapMb}`, '--no-warnings'],
    serialization: 'advanced',
    env: codeCache(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // It never keeps our process from ending.
  child.unref()
  child.channel?.unref()
  let waiting: Waiting | undefined
  let hasEnded = false
  const stop = () => {
    child.kill('SIGKILL')
  }
  const end = () => {
    if (hasEnded) return
    hasEnded = true
    waiting?.reject(new ProcessEnded('The library process ended.'))
    onEnd()
  }
  child.on('message', (reply: LibraryReply) => waiting?.resolve(reply))
  child.on('exit', end)
  child.on('error', () => {
    stop()
    end()
  })

  async function waitFor(timeoutMs: number, send: () => void): Promise<LibraryReply> {
    const { promise, resolve, reject } = Promise.withResolvers<LibraryReply>()
    const timer = setTimeout(() => {
      stop()
      reject(new ProcessMisused('Reading the index takes too long.'))
    }, timeoutMs)
    waiting = { resolve, reject }
    try {
      if (hasEnded) throw new ProcessEnded('The library process ended.')
      send()
      return await promise
    } finally {
      clearTimeout(timer)
      waiting = undefined
    }
  }

  const started = waitFor(START_MS_MAX, () => {}).catch(() => {
    throw new Error('The library process did not start.')
  })
  // The sender of the first step gets the error.
  started.catch(() => {})

  return {
    exchange: async (step) => {
      await started
      return waitFor(stepMs, () => child.send(step, () => {}))
    },
    stop,
  }
}

/** Where Node keeps our code as it compiled it, if this process uses that. Our secrets stay here. */
function codeCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  // A folder for each version of Node is below it.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
