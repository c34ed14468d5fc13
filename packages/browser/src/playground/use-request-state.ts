import { useCallback, useRef, useState } from 'preact/hooks'
import { afterPaint } from '../page/after-paint.ts'
import type { RequestState } from './request-state.ts'

export type Change = (edit: (old: RequestState) => RequestState) => void

/**
 * What is filled in, and what is drawn of it. A field shows by itself what was typed; all that
 * follows from it (code, address, other fields) is drawn after that has been seen.
 */
export function useRequestState(first: RequestState) {
  const [drawn, draw] = useState(first)
  const latest = useRef(first)
  const isWaiting = useRef(false)
  const change: Change = useCallback((edit) => {
    latest.current = edit(latest.current)
    if (isWaiting.current) return
    isWaiting.current = true
    afterPaint(() => {
      isWaiting.current = false
      draw(latest.current)
    })
  }, [])
  return { state: drawn, latest, change }
}
