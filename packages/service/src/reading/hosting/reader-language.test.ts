import { describe, expect, test } from 'vitest'
import { preferredLanguage } from './reader-language.ts'

describe('the preferred language of a reader', () => {
  test.each([
    ['fr', 'fr'],
    ['FR-ca', 'fr'],
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    ['en;q=0.8, fr;q=0.9', 'fr'],
    ['de-AT-1996, fr;q=0.9', 'fr'],
    ['en-GB, fr;q=0.9', 'en'],
    ['ja', 'jp'],
    ['zh-TW', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['pt', 'pt-BR'],
    ['fr;q=0, en', 'en'],
    ['de', undefined],
    ['*', undefined],
    ['*, fr;q=0.5', undefined],
    ['fr;q=x', undefined],
    [';;,,q=', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('the header Accept-Language %o selects the language %o', (header, language) => {
    const languages = new Set(['en', 'fr', 'jp', 'zh-Hant', 'pt-BR'])
    expect(preferredLanguage(header, languages)).toBe(language)
  })
})
