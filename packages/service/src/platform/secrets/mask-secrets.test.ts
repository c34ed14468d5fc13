import { describe, expect, test } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

/** Joins the parts of a key, so that secret scanners do not mistake the test for a real key. */
const key = (...parts: readonly string[]) => parts.join('')
const LETTERS = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'

describe('texts with secrets', () => {
  test.each([
    key('sk-', 'proj-', LETTERS),
    key('sk_', 'live_', LETTERS),
    key('sk-', 'ant-', 'api03-', LETTERS),
    key('gh', 'p_', LETTERS),
    key('github_', 'pat_', LETTERS),
    key('gl', 'pat-', LETTERS),
    key('xo', 'xb-', '123456789012-', LETTERS),
    key('AK', 'IA', 'ABCDEFGHIJKLMNOP'),
    key('AI', 'za', LETTERS.slice(0, 35)),
    key('ey', 'JhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxIn0', '.c2lnbmF0dXJl'),
    key('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE\n-----END RSA ', 'PRIVATE KEY-----'),
  ])('a key such as %.12s is masked', (secret) => {
    expect(maskSecrets(`Why is ${secret} refused?`)).toBe('Why is <masked: key> refused?')
  })

  test.each([
    ['Authorization: Bearer abcdef123456789', 'Authorization: Bearer <masked: key>'],
    ['password: "hunter2hunter2"', 'password: "<masked: key>"'],
    ['OPENAI_API_KEY=abc123def456', 'OPENAI_API_KEY=<masked: key>'],
    ['postgres://app:s3cret@db/app', 'postgres://app:<masked: key>@db/app'],
    ['Mail jürgen.o+x@example.co.uk!', 'Mail <masked: e-mail>!'],
    ['4111 1111 1111 1111', '<masked: card number>'],
    ['pay 5500-0000-0000-0004 now', 'pay <masked: card number> now'],
    ['378282246310005', '<masked: card number>'],
  ])('the secret in %s is masked', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
    expect(maskSecrets(masked)).toBe(masked)
  })
})

describe('texts without secrets', () => {
  test.each([
    'How do I set token: YOUR_API_KEY?',
    'git clone git@github.com:org/repo.git',
    'import { x } from "@octavo/model"',
    'sk-learn or sk_test?',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    '4111 1111 1111 1112 is no card',
    'the timestamp 1700000000000',
    'version 1.2.3-4.5.6, port 8080, 10.0.0.1',
    '',
  ])('the text "%s" is not masked', (text) => {
    expect(maskSecrets(text)).toBe(text)
  })
})

test('masking is fast even for texts that are designed to make the patterns slow', () => {
  for (const text of [
    'a@'.repeat(2_000),
    'a.'.repeat(2_000),
    '4'.repeat(4_000),
    'token='.repeat(700),
  ]) {
    const started = performance.now()
    maskSecrets(text)
    expect(performance.now() - started).toBeQuick(200)
  }
})
