/** The required language codes, in order. `cn` and `jp` are required although not standard. */
export const LANGUAGE_CODES = [
  ...(['ar', 'ca', 'cs', 'cn', 'zh-Hant', 'da', 'nl', 'en', 'fi', 'fr', 'de', 'he'] as const),
  ...(['hi', 'hu', 'id', 'it', 'jp', 'ko', 'lv', 'no', 'pl', 'pt-BR', 'ro', 'ru'] as const),
  ...(['es', 'sv', 'tr', 'uk', 'uz', 'vi'] as const),
] as const

export type LanguageCode = (typeof LANGUAGE_CODES)[number]

/** Standard spellings in common use, mapped to the required codes. */
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

/** Returns the BCP 47 tag for `lang` and `hreflang`. Two required codes are not tags. */
export function languageTag(code: string): string {
  if (code === 'cn') return 'zh-Hans'
  if (code === 'jp') return 'ja'
  return code
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he'])

export function languageDirection(code: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(code) ? 'rtl' : 'ltr'
}

/** Finds a code in the list, then among the standard spellings; case-insensitive. */
export function parseLanguage(written: string): LanguageCode | undefined {
  const wanted = written.trim().toLowerCase()
  const listed = LANGUAGE_CODES.find((code) => code.toLowerCase() === wanted)
  if (listed !== undefined) return listed
  return Object.entries(LANGUAGE_ALIASES).find(([alias]) => alias.toLowerCase() === wanted)?.[1]
}
