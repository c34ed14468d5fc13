import { useEffect, useState } from 'preact/hooks'

const FIRST = 20
const STEP = 20

/** How many of a long list are drawn: some at once, the rest while the reader looks at them. */
export function useGrowing(total: number): number {
  const [shown, setShown] = useState(FIRST)
  useEffect(() => {
    if (shown >= total) return
    const timer = setTimeout(() => setShown(shown + STEP))
    return () => clearTimeout(timer)
  }, [shown, total])
  return shown
}
