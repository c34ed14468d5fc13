import { LANGUAGE_CODES } from '@octavo/model'
import { expect, test } from 'vitest'
import { stemOf } from '../engine/word-stem.ts'
import { languageWords } from './language-words.ts'

test.each(LANGUAGE_CODES)('the language %s has function words', (code) => {
  expect(languageWords(code).functionWords.length).toBeGreaterThan(10)
})

test('an unknown language has no function words and no endings', () => {
  expect(languageWords('constructor')).toMatchObject({ functionWords: [], endings: [] })
})

test.each([
  ['configuring', 'configuration'],
  ['debugger', 'debugging'],
  ['create', 'creation'],
  ['install', 'installation'],
])('%s and %s are forms of one word', (one, other) => {
  const { endings } = languageWords('en')
  expect(stemOf(one, endings)).toBe(stemOf(other, endings))
})

test.each([
  ['core', 'cors'],
  ['local', 'localization'],
  ['user', 'use'],
])('%s and %s are different words', (one, other) => {
  const { endings } = languageWords('en')
  expect(stemOf(one, endings)).not.toBe(stemOf(other, endings))
})
