/**
 * The language codes from the requirements, in the same order. `cn` and `jp` are required although
 * they are not standard codes.
 */
export const LANGUAGE_CODES = [
  ...(['ar', 'ca', 'cs', 'cn', 'zh-Hant', 'da', 'nl', 'en', 'fi', 'fr', 'de', 'he'] as const),
  ...(['hi', 'hu', 'id', 'it', 'jp', 'ko', 'lv', 'no', 'pl', 'pt-BR', 'ro', 'ru'] as const),
  ...(['es', 'sv', 'tr', 'uk', 'uz', 'vi'] as const),
] as const

export type LanguageCode = (typeof LANGUAGE_CODES)[number]

/** Standard codes that are in common use, with the corresponding required codes. */
export const LANGUAGE_ALIASES: Readonly<Record<string, LanguageCode>> = {
  ja: 'jp',
  'ja-JP': 'jp',
  zh: 'cn',
  'zh-Hans': 'cn',
  'zh-CN': 'cn',
  'zh-TW': 'zh-Hant',
  'zh-HK': 'zh-Hant',
  'en-US': 'en',
  'en-GB': 'en',
  'fr-FR': 'fr',
  'fr-CA': 'fr',
  'de-DE': 'de',
  'es-ES': 'es',
  'es-419': 'es',
  'it-IT': 'it',
  'ko-KR': 'ko',
  'nl-NL': 'nl',
  'ru-RU': 'ru',
  nb: 'no',
  pt: 'pt-BR',
}

/**
 * Returns the BCP 47 tag for `lang` and `hreflang`. Two of the required codes are not valid tags.
 */
export function languageTag(code: string): string {
  if (code === 'cn') return 'zh-Hans'
  if (code === 'jp') return 'ja'
  return code
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he'])

export function languageDirection(code: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(code) ? 'rtl' : 'ltr'
}

/**
 * Finds a language code, first in the list and then among the standard codes. Case does not matter.
 */
export function parseLanguage(written: string): LanguageCode | undefined {
  const wanted = written.trim().toLowerCase()
  const listed = LANGUAGE_CODES.find((code) => code.toLowerCase() === wanted)
  if (listed !== undefined) return listed
  return Object.entries(LANGUAGE_ALIASES).find(([alias]) => alias.toLowerCase() === wanted)?.[1]
}
