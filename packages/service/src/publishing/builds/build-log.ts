import type { Log } from '../../platform/telemetry/log.ts'
import { asStoredText } from './build-protocol.ts'
import type { BuildRow, BuildStore } from './store.ts'

export type BuildLog = {
  readonly write: (text: string) => void
  /** Resolves when all lines are stored. Never rejects: a log error must not fail the build. */
  readonly flush: () => Promise<void>
}

const FLUSH_MS = 300
/** Only the first lines of a very long log are stored. */
export const LOG_LINES_MAX = 5_000

/** Stores lines in order, in batches a few times per second. */
export function createBuildLog(store: BuildStore, { id }: BuildRow, log: Log): BuildLog {
  let waiting: string[] = []
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    storing = storing.then(async () => {
      const texts = waiting
      if (texts.length === 0) return
      waiting = []
      await store.appendLog(id, texts).catch((error: unknown) => {
        log.error('a build log was not stored', { build: id, error })
      })
    })
    return storing
  }

  return {
    write(text) {
      count += 1
      if (count > LOG_LINES_MAX) return
      waiting.push(count === LOG_LINES_MAX ? 'More lines are not shown.' : asStoredText(text))
      timer ??= setTimeout(() => void flush(), FLUSH_MS)
    },
    flush,
  }
}
