import { expect, test } from 'vitest'
import { parseHostName } from './host-name.ts'

test.each([
  ['localhost', 'localhost'],
  ['Specs.Internal', 'specs.internal'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['::1', '[::1]'],
  ['[::1]', '[::1]'],
  ['specs.internal.', 'specs.internal.'],
])('the text %s is parsed as the host %s', (text, host) => expect(parseHostName(text)).toBe(host))

test.each([
  '',
  'http://localhost',
  'localhost/',
  'localhost:80',
  'localhost:',
  '[::1]:80',
  'user@localhost',
  'a b',
  'a?b',
  'a#b',
  '1.2.3.256',
])('the text "%s" is rejected because it is not a host', (text) =>
  expect(parseHostName(text)).toBe(undefined),
)
