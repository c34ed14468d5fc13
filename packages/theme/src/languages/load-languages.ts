/**
 * Translations of the interface text, loaded by sites that use them. To add a language, write a
 * file like the existing ones and add it here; a test reports missing translations.
 */
import {
  ENGLISH,
  type InterfaceText,
  type InterfaceTexts,
  type Translation,
} from '../words/interface-text.ts'

type Loader = () => Promise<Translation>

/**
 * Loads the translation of each language code in the requirements, except English, which is built
 * in.
 */
export const TRANSLATIONS: Readonly<Record<string, Loader>> = {
  de: async () => (await import('./german.ts')).GERMAN,
  fr: async () => (await import('./french.ts')).FRENCH,
  es: async () => (await import('./spanish.ts')).SPANISH,
  'pt-BR': async () => (await import('./brazilian-portuguese.ts')).BRAZILIAN_PORTUGUESE,
  it: async () => (await import('./italian.ts')).ITALIAN,
  ru: async () => (await import('./russian.ts')).RUSSIAN,
  ar: async () => (await import('./arabic.ts')).ARABIC,
  he: async () => (await import('./hebrew.ts')).HEBREW,
  cn: async () => (await import('./simplified-chinese.ts')).SIMPLIFIED_CHINESE,
  'zh-Hant': async () => (await import('./traditional-chinese.ts')).TRADITIONAL_CHINESE,
  jp: async () => (await import('./japanese.ts')).JAPANESE,
  ko: async () => (await import('./korean.ts')).KOREAN,
  hi: async () => (await import('./hindi.ts')).HINDI,
  tr: async () => (await import('./turkish.ts')).TURKISH,
  id: async () => (await import('./indonesian.ts')).INDONESIAN,
  ca: async () => (await import('./catalan.ts')).CATALAN,
  cs: async () => (await import('./czech.ts')).CZECH,
  da: async () => (await import('./danish.ts')).DANISH,
  nl: async () => (await import('./dutch.ts')).DUTCH,
  fi: async () => (await import('./finnish.ts')).FINNISH,
  hu: async () => (await import('./hungarian.ts')).HUNGARIAN,
  lv: async () => (await import('./latvian.ts')).LATVIAN,
  no: async () => (await import('./norwegian.ts')).NORWEGIAN,
  pl: async () => (await import('./polish.ts')).POLISH,
  ro: async () => (await import('./romanian.ts')).ROMANIAN,
  sv: async () => (await import('./swedish.ts')).SWEDISH,
  uk: async () => (await import('./ukrainian.ts')).UKRAINIAN,
  uz: async () => (await import('./uzbek.ts')).UZBEK,
  vi: async () => (await import('./vietnamese.ts')).VIETNAMESE,
}

/** The codes of all languages with a translation. */
export const LANGUAGES: readonly string[] = Object.keys(TRANSLATIONS)

/** Loads the interface text of each given language that has a translation. */
export async function loadLanguages(codes: Iterable<string>): Promise<InterfaceTexts> {
  const texts = new Map<string, InterfaceText>()
  for (const code of new Set(codes)) {
    const load = Object.hasOwn(TRANSLATIONS, code) ? TRANSLATIONS[code] : undefined
    if (load !== undefined) texts.set(code, { ...ENGLISH, ...(await load()) })
  }
  return texts
}
