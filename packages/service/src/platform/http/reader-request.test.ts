import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { encodingOf } from './reader-request.ts'

describe('the content encoding for a reader', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['*', undefined],
    ['brotli, xgzip', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=1.0', 'br'],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'br'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['gzip, br; q=0.9', 'gzip'],
    ['br;q=0.2, gzip;Q=0.3', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, gzip;q=0.0', undefined],
    ['br;q=x, deflate', 'br'],
    ['deflate;q=0.5, br', 'br'],
  ])('a request with Accept-Encoding %j gets the encoding %s', (accepted, encoding) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    expect(encodingOf({ headers } as IncomingMessage)).toBe(encoding)
  })
})
