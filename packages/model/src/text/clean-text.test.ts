import { describe, expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'

describe('cleaned answers', () => {
  test.each([
    ['text direction marks', 'a\u202eb\u2066c\u200ed\u061ce', 'abcde'],
    ['terminal control characters', 'a\u001b[31mb\u0007\u009bc', 'a[31mbc'],
    ['invisible characters', 'a\u200bb\u2060c\u00add\ufeffe\u3164f', 'abcdef'],
    ['tag characters that hide words', `a${String.fromCodePoint(0xe0041, 0xe007f)}b`, 'ab'],
    ['unpaired surrogates', 'a\ud83d', 'a\ufffd'],
  ])('an answer is cleaned of %s', (_, written, clean) => expect(cleanText(written)).toBe(clean))

  test('line endings of an answer are normalized', () =>
    expect(cleanText('a\r\nb\rc\u2028d')).toBe('a\nb\nc\nd'))
})

test.each(['a\tb\n', 'می‌خواهم', '👩‍🚀', 'नमस्ते', 'é', '日本語'])(
  'the text %j is left unchanged',
  (text) => {
    expect(cleanText(text)).toBe(text)
  },
)
