import { expect, test } from 'vitest'
import { hasRealWords } from './real-words.ts'

test.each([
  'asdfgh',
  'asdfasdf asdf',
  'qwerty',
  'jklö hjkl',
  'aaaaaa',
  'hahaha',
  'sdfghjkk',
  'xcvbn mnbv',
  'zzzz?!',
  '12345',
  '???',
  '',
  'test',
  'Test test 123',
  'hello',
  'x',
  'bcdfgh',
])('the question %j contains no real words', (question) => {
  expect(hasRealWords(question)).toBe(false)
})

test.each([
  'Bonsai repotting?',
  'paypal',
  'sso',
  'css',
  'https',
  'nginx',
  'property',
  'power tower',
  'vat',
  'test webhooks locally',
  'hello, how do I export my data?',
  'asdf version manager',
  'strengths',
  'Angstschweiß',
  'Übersetzung',
  'smrt',
  'お金',
  '退',
  'сброс пароля',
  'เงินคืน',
  '환불',
  'E1234',
  'err_429',
])('the question %j contains a real word', (question) => {
  expect(hasRealWords(question)).toBe(true)
})
