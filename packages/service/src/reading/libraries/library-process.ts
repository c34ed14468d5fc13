import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { UnreadableIndex } from '@octavo/search'
import { libraryProgramFile } from '../../platform/own-files.ts'
import type { LaneLimits } from './lane-limits.ts'
import type { LibraryReply, SentStep } from './library-messages.ts'

/** The process took too long for this caller and was stopped. */
export class ProcessTimeout extends UnreadableIndex {}

/** The process ended while it worked for this caller, possibly because of it. */
export class ProcessEnded extends Error {}

const START_MS_MAX = 20_000

export type LibraryProcess = {
  /** Sends a step and waits for its reply. Steps must not overlap. */
  readonly exchange: (step: SentStep) => Promise<LibraryReply>
  readonly stop: () => void
}

type Waiting = {
  readonly resolve: (reply: LibraryReply) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts a process rather than a thread: a thread's heap limit applies to small objects only. One
 * large array in a thread would end the whole process, which must not happen (decision 0048).
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
  // The child process never keeps our process alive.
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
      reject(new ProcessTimeout('Reading the index takes too long.'))
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
  // The sender of the first step receives the error.
  started.catch(() => {})

  return {
    exchange: async (step) => {
      await started
      return waitFor(stepMs, () => child.send(step, () => {}))
    },
    stop,
  }
}

/** Returns Node's compile cache folder, if this process uses one. Our secrets are not passed on. */
function codeCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  // It contains a folder per version of Node.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
