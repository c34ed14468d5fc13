import type { InterfaceText } from '../words/interface-text.ts'

type Name = keyof InterfaceText
type TryName = Extract<Name, `try${string}`>

/** Interface text that both pages and the playground use. */
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

/** The interface text of the playground, whose data contains it in the page's language. */
export type PlaygroundWords = Pick<InterfaceText, TryName | (typeof SHARED)[number]>

export function playgroundWords(text: InterfaceText): PlaygroundWords {
  const names = Object.keys(text) as readonly Name[]
  const own = names.filter((name) => name.startsWith('try'))
  return Object.fromEntries(
    [...own, ...SHARED].map((name) => [name, text[name]]),
  ) as PlaygroundWords
}
