import { expect, test } from 'vitest'
import { isUnencrypted } from './read-model.ts'

test.each([
  ['https://example.com/v1', false],
  ['http://127.0.0.1:8080', false],
  ['http://localhost:11434', false],
  ['http://[::1]:8080', false],
  ['http://192.168.1.10:8080', true],
  ['http://127.0.0.1.example.com', true],
])('what is sent to %s can be read on the network: %s', (url, expected) => {
  expect(isUnencrypted({ url })).toBe(expected)
})
