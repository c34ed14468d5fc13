/** Aborts work that takes too long, in total or since its last activity. */

export type TimeWatch = {
  /** Aborted by the caller or by a timeout. */
  readonly signal: AbortSignal
  /** Sets the time limit until the next activity. */
  readonly expect: (reason: LateReason, withinMs: number) => void
  /** Returns the timeout that has occurred; undefined if there was none. */
  readonly late: () => { readonly reason: LateReason; readonly afterMs: number } | undefined
  /** Stops the timers and aborts work that is still running. */
  readonly stop: () => void
}

type LateReason = 'timeout' | 'silence' | 'after-end'

export function watchTime(caller: AbortSignal, totalMsMax: number): TimeWatch {
  const control = new AbortController()
  let late: { reason: LateReason; afterMs: number } | undefined
  const end = (reason: LateReason, afterMs: number) => () => {
    late ??= { reason, afterMs }
    control.abort(new Error(`no answer within ${afterMs} ms`))
  }
  const total = setTimeout(end('timeout', totalMsMax), totalMsMax)
  let next: NodeJS.Timeout | undefined
  const cancel = () => control.abort(caller.reason)
  caller.addEventListener('abort', cancel, { once: true })
  if (caller.aborted) cancel()
  return {
    signal: control.signal,
    expect: (reason, withinMs) => {
      clearTimeout(next)
      next = setTimeout(end(reason, withinMs), withinMs)
    },
    late: () => late,
    stop: () => {
      clearTimeout(total)
      clearTimeout(next)
      caller.removeEventListener('abort', cancel)
      control.abort()
    },
  }
}
