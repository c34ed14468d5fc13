import { useCallback, useRef, useState } from 'preact/hooks'
import { afterPaint } from '../page/after-paint.ts'
import type { RequestState } from './request-state.ts'

export type Change = (edit: (old: RequestState) => RequestState) => void

/**
 * Returns the reader's input and the state that is rendered. A control shows typed text
 * immediately; everything derived from it (code, URL, other fields) is rendered after the next
 * paint.
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
