import type { InterfaceText } from '../words/interface-text.ts'

type Name = keyof InterfaceText
type TryName = Extract<Name, `try${string}`>

/** Interface texts of pages that the playground also needs. */
const SHARED = [
  'apiAuthorization',
  'apiPath',
  'apiQuery',
  'apiHeaders',
  'apiCookies',
  'apiBody',
  'apiNone',
  'apiOption',
  'apiValues',
  'apiMultiple',
  'apiUnique',
  'apiMinLength',
  'apiMaxLength',
  'apiMinItems',
  'apiMaxItems',
  'required',
  'request',
  'response',
  'copy',
  'codeLanguage',
  'download',
  'close',
] as const satisfies readonly Name[]

/** Interface texts of the playground. They are part of its data, in the page's language. */
export type PlaygroundWords = Pick<InterfaceText, TryName | (typeof SHARED)[number]>

export function playgroundWords(text: InterfaceText): PlaygroundWords {
  const names = Object.keys(text) as readonly Name[]
  const own = names.filter((name) => name.startsWith('try'))
  return Object.fromEntries(
    [...own, ...SHARED].map((name) => [name, text[name]]),
  ) as PlaygroundWords
}
