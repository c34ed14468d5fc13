import { setTimeout as sleep } from 'node:timers/promises'

/** Stops waiting for something that hangs. It goes on by itself until its own limit. */
export async function inTime<Result>(result: Promise<Result>, timeoutMs: number): Promise<Result> {
  const over = new AbortController()
  const late = sleep(timeoutMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`no answer within ${timeoutMs} ms`)
  })
  try {
    return await Promise.race([result, late])
  } finally {
    // Whichever of the two fails later has nobody who waits for it.
    late.catch(() => {})
    result.catch(() => {})
    over.abort()
  }
}
