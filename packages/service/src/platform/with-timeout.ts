import { setTimeout as sleep } from 'node:timers/promises'

/** Rejects if the promise takes too long. The operation behind the promise is not stopped. */
export async function withTimeout<Result>(
  result: Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  const over = new AbortController()
  const late = sleep(timeoutMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`no answer within ${timeoutMs} ms`)
  })
  try {
    return await Promise.race([result, late])
  } finally {
    // Avoids an unhandled rejection of the promise that loses the race.
    late.catch(() => {})
    result.catch(() => {})
    over.abort()
  }
}
