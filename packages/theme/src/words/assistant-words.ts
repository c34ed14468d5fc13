import type { InterfaceText } from './interface-text.ts'

type Name = keyof InterfaceText
type AskName = Extract<Name, `ask${string}`>

/** Interface text that both pages and the assistant use. */
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

/** The interface text of the assistant's panel, whose script contains it in the page's language. */
export type AssistantWords = Pick<InterfaceText, AskName | (typeof SHARED)[number]>

export function assistantWords(text: InterfaceText): AssistantWords {
  const names = Object.keys(text) as readonly Name[]
  const own = names.filter((name) => name.startsWith('ask'))
  return Object.fromEntries([...own, ...SHARED].map((name) => [name, text[name]])) as AssistantWords
}
