import { LANGUAGE_CODES } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { ENGLISH, type InterfaceText, interfaceText } from '../words/interface-text.ts'
import { loadLanguages, TRANSLATIONS } from './load-languages.ts'

/** Translations that are correctly the same as the English text. */
const SAME: Readonly<Record<string, readonly (keyof InterfaceText)[]>> = {
  de: [
    ...([
      'links',
      'version',
      'info',
      'apiCookies',
      'apiBody',
      'apiCallbacks',
      'apiOption',
    ] as const),
    ...(['apiScopes', 'tryCode', 'tryServer', 'tryToken'] as const),
  ],
  fr: [
    'menu',
    'sections',
    'pages',
    'version',
    'info',
    'danger',
    'apiCookies',
    'apiOption',
    'tryCode',
    'askTitle',
    'askSources',
    'askIncorrect',
  ],
  es: ['apiCookies', 'feedbackNo'],
  'pt-BR': ['menu', 'links', 'apiCookies'],
  it: ['menu', 'feedbackNo'],
  id: ['menu', 'info'],
  ca: ['apiAlternatives', 'feedbackNo'],
  cs: ['tip'],
  da: ['menu', 'tip', 'apiCookies', 'trySend'],
  nl: [
    ...(['menu', 'tip', 'apiServers', 'apiHeaders', 'apiCookies', 'apiBody'] as const),
    ...(['apiCallbacks', 'apiScopes'] as const),
  ],
  no: ['trySend'],
  pl: ['menu'],
  sv: ['version'],
}

/** Interface text that was added after the translations and is still in English. */
const NOT_YET: readonly string[] = []

const PLACEHOLDER = /\{\w+\}/g

describe.each(Object.keys(TRANSLATIONS))('interface texts in %s', (code) => {
  test('a translation of the interface is complete and has no English texts', async () => {
    const own = (await TRANSLATIONS[code]?.()) ?? {}
    const keys = Object.keys(ENGLISH) as readonly (keyof InterfaceText)[]
    const wanted = keys.filter((key) => !NOT_YET.includes(key))
    expect(wanted.filter((key) => (own[key] ?? '').trim() === '')).toEqual([])
    expect(Object.keys(own).filter((key) => !Object.hasOwn(ENGLISH, key))).toEqual([])
    expect(wanted.filter((key) => own[key] === ENGLISH[key])).toEqual(SAME[code] ?? [])
  })

  test('a translation of the interface has the same placeholders as English', async () => {
    const own = (await loadLanguages([code])).get(code) ?? ENGLISH
    for (const key of Object.keys(ENGLISH) as readonly (keyof InterfaceText)[])
      expect(own[key].match(PLACEHOLDER), key).toEqual(ENGLISH[key].match(PLACEHOLDER))
  })
})

test('every supported language has a translation (requirement LG8)', () => {
  const others = LANGUAGE_CODES.filter((code) => code !== 'en')
  expect(Object.keys(TRANSLATIONS).toSorted()).toEqual(others.toSorted())
})

test('the interface falls back to English for an unknown language', async () => {
  const texts = await loadLanguages(['xx', 'constructor', 'en'])
  expect(texts.size).toBe(0)
  expect(interfaceText('xx', texts)).toBe(ENGLISH)
})
