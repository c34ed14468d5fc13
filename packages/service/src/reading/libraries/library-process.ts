import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { UnreadableIndex } from '@octavo/search'
import { libraryProgramFile } from '../../platform/own-files.ts'
import type { LaneLimits } from './lane-limits.ts'
import type { LibraryReply, SentStep } from './library-messages.ts'

/** The process was stopped because it took too long for this caller. */
export class ProcessTimeout extends UnreadableIndex {}

/** The process ended while it worked for this caller, who may have caused it. */
export class ProcessEnded extends Error {}

const START_MS_MAX = 20_000

export type LibraryProcess = {
  /** Sends a step and returns its reply. The next step may only be sent after the reply. */
  readonly exchange: (step: SentStep) => Promise<LibraryReply>
  readonly stop: () => void
}

type Waiting = {
  readonly resolve: (reply: LibraryReply) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts a child process. A worker thread would not be safe enough, because its heap limit only
 * applies to small objects, and one large array could end the whole process (decision 0048).
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
  // The child process must not prevent this process from exiting.
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
      reject(new ProcessTimeout('Reading the index took too long.'))
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
  // The error is thrown when the first step is sent.
  started.catch(() => {})

  return {
    exchange: async (step) => {
      await started
      return waitFor(stepMs, () => child.send(step, () => {}))
    },
    stop,
  }
}

/**
 * Returns the folder of Node's compile cache, if this process uses one. The child process gets no
 * other environment variables, because they contain secrets.
 */
function codeCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  // Node adds a folder for its own version, which is removed here.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
