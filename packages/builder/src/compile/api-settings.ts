import type { Config } from '@octavo/model'
import { findLanguage, type LanguageId } from '@octavo/openapi'
import {
  type ApiSettings,
  type InterfaceText,
  type PlaygroundWords,
  playgroundWords,
} from '@octavo/theme'

/** The languages of code samples if docs.json does not name any. */
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

/** The playground settings from docs.json, with the interface text in the language of the page. */
export type PlaygroundSettings = {
  readonly languages: readonly LanguageId[]
  readonly prefill?: boolean
  readonly credentials: boolean
  /** True if the site's host should forward requests, provided that the host supports this. */
  readonly proxy: boolean
  readonly words: PlaygroundWords
}

export function playgroundSettings(api: Config['api'], text: InterfaceText): PlaygroundSettings {
  const { examples, playground } = api ?? {}
  return {
    languages: apiSettings(api).languages,
    ...(examples?.prefill !== undefined && { prefill: examples.prefill }),
    credentials: playground?.credentials === true,
    // Only requests that the browser sends directly contain the reader's cookies.
    proxy: playground?.proxy !== false && playground?.credentials !== true,
    words: playgroundWords(text),
  }
}
