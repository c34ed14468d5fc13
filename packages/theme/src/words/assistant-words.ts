import type { InterfaceText } from './interface-text.ts'

type Name = keyof InterfaceText
type AskName = Extract<Name, `ask${string}`>

/** Interface texts of pages that the assistant also needs. */
const SHARED = [
  'searchAsk',
  'searchLoading',
  'searchRetry',
  'trySend',
  'tryCancel',
  'tryCancelled',
  'tryWaiting',
  'dismiss',
  'close',
  'copy',
  'copied',
] as const satisfies readonly Name[]

/**
 * Interface texts of the assistant's panel. They are part of its script, in the page's language.
 */
export type AssistantWords = Pick<InterfaceText, AskName | (typeof SHARED)[number]>

export function assistantWords(text: InterfaceText): AssistantWords {
  const names = Object.keys(text) as readonly Name[]
  const own = names.filter((name) => name.startsWith('ask'))
  return Object.fromEntries([...own, ...SHARED].map((name) => [name, text[name]])) as AssistantWords
}
