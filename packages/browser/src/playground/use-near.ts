import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Content this far outside the viewport is rendered too, for scrolling and the Tab key. */
const MARGIN = '600px'

/** Returns whether an element is, or has been, near the visible part of the form. */
export function useNear(element: RefObject<HTMLElement | null>, isNearAnyway: boolean): boolean {
  const [isNear, setNear] = useState(isNearAnyway)
  if (isNearAnyway && !isNear) setNear(true)
  useEffect(() => {
    const { current } = element
    if (isNear || current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { root: current.closest('form'), rootMargin: MARGIN },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
