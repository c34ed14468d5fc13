import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** So far outside of what is seen, what comes next is drawn already: for the wheel and the Tab key. */
const MARGIN = '600px'

/** Whether an element has ever been near to what the reader sees of the form. */
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
