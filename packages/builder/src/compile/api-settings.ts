import type { Config } from '@octavo/model'
import { findLanguage, type LanguageId } from '@octavo/openapi'
import {
  type ApiSettings,
  type InterfaceText,
  type PlaygroundWords,
  playgroundWords,
} from '@octavo/theme'

/** What samples are written in where docs.json names no language. */
const DEFAULT_LANGUAGES: readonly LanguageId[] = ['bash', 'javascript', 'python']

/** `api` of docs.json, as pages of an API need it. */
export function apiSettings(api: Config['api']): ApiSettings {
  const { defaults = 'with-example', languages = [], autogenerate = true } = api?.examples ?? {}
  const known = languages.flatMap((name) => findLanguage(name)?.id ?? [])
  return {
    languages: known.length === 0 ? DEFAULT_LANGUAGES : [...new Set(known)],
    parameters: defaults,
    autogenerate,
    expanded: api?.params?.expanded === 'all',
    fullUrl: api?.url === 'full',
  }
}

/** What of docs.json playgrounds need, with the words of their language. */
export type PlaygroundSettings = {
  readonly languages: readonly LanguageId[]
  readonly prefill: boolean
  readonly credentials: boolean
  /** Send requests through the host of the site, where it does that. */
  readonly proxy: boolean
  readonly words: PlaygroundWords
}

export function playgroundSettings(api: Config['api'], text: InterfaceText): PlaygroundSettings {
  const { examples, playground } = api ?? {}
  return {
    languages: apiSettings(api).languages,
    prefill: examples?.prefill === true,
    credentials: playground?.credentials === true,
    // Cookies of the reader are sent by the browser alone.
    proxy: playground?.proxy !== false && playground?.credentials !== true,
    words: playgroundWords(text),
  }
}
