import type { PlaygroundWords } from '@octavo/theme/browser'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** The words of the page's language, which come with the data of the operation. */
export const Words = createContext<PlaygroundWords | undefined>(undefined)

export function useWords(): PlaygroundWords {
  const words = useContext(Words)
  if (words === undefined) throw new Error('Something was drawn outside of the playground.')
  return words
}
