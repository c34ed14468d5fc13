import type { Config } from '@octavo/model'
import { findLanguage, type LanguageId } from '@octavo/openapi'
import {
  type ApiSettings,
  type InterfaceText,
  type PlaygroundWords,
  playgroundWords,
} from '@octavo/theme'

/** The languages of samples if docs.json names no language. */
const DEFAULT_LANGUAGES: readonly LanguageId[] = ['bash', 'javascript', 'python']

/** Returns `api` of docs.json in the form that API pages need. */
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

/** The settings of docs.json that playgrounds need, with the interface texts of their language. */
export type PlaygroundSettings = {
  readonly languages: readonly LanguageId[]
  readonly prefill: boolean
  readonly credentials: boolean
  /** Sends requests through the site's host if it supports that. */
  readonly proxy: boolean
  readonly words: PlaygroundWords
}

export function playgroundSettings(api: Config['api'], text: InterfaceText): PlaygroundSettings {
  const { examples, playground } = api ?? {}
  return {
    languages: apiSettings(api).languages,
    prefill: examples?.prefill === true,
    credentials: playground?.credentials === true,
    // Only the browser itself sends the reader's cookies.
    proxy: playground?.proxy !== false && playground?.credentials !== true,
    words: playgroundWords(text),
  }
}
