import { describe, expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'

describe('an answer is cleaned of', () => {
  test.each([
    ['marks that turn the direction of writing', 'a\u202eb\u2066c\u200ed\u061ce', 'abcde'],
    ['controls that steer a terminal', 'a\u001b[31mb\u0007\u009bc', 'a[31mbc'],
    ['letters that nobody sees', 'a\u200bb\u2060c\u00add\ufeffe\u3164f', 'abcdef'],
    ['tags that hide words', `a${String.fromCodePoint(0xe0041, 0xe007f)}b`, 'ab'],
    ['halves of letters', 'a\ud83d', 'a\ufffd'],
  ])('%s', (_, written, clean) => expect(cleanText(written)).toBe(clean))

  test('other ends of lines', () => expect(cleanText('a\r\nb\rc\u2028d')).toBe('a\nb\nc\nd'))
})

test.each(['a\tb\n', 'می‌خواهم', '👩‍🚀', 'नमस्ते', 'é', '日本語'])('%j stays as it is', (text) => {
  expect(cleanText(text)).toBe(text)
})
