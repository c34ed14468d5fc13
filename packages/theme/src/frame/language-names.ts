/** The native name of each language in the requirements. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  ar: 'العربية',
  ca: 'Català',
  cs: 'Čeština',
  cn: '简体中文',
  'zh-Hant': '繁體中文',
  da: 'Dansk',
  nl: 'Nederlands',
  en: 'English',
  fi: 'Suomi',
  fr: 'Français',
  de: 'Deutsch',
  he: 'עברית',
  hi: 'हिन्दी',
  hu: 'Magyar',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  jp: '日本語',
  ko: '한국어',
  lv: 'Latviešu',
  no: 'Norsk',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  ro: 'Română',
  ru: 'Русский',
  es: 'Español',
  sv: 'Svenska',
  tr: 'Türkçe',
  uk: 'Українська',
  uz: 'Oʻzbekcha',
  vi: 'Tiếng Việt',
}

export function languageName(code: string): string {
  return Object.hasOwn(LANGUAGE_NAMES, code) ? (LANGUAGE_NAMES[code] ?? code) : code
}
