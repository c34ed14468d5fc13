import type { PlaygroundWords } from '@octavo/theme/browser'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** The interface text in the page's language, which is part of the operation's data. */
export const Words = createContext<PlaygroundWords | undefined>(undefined)

export function useWords(): PlaygroundWords {
  const words = useContext(Words)
  if (words === undefined) throw new Error('`useWords` was called outside of the playground.')
  return words
}
