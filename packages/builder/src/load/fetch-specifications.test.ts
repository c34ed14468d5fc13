import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestServer } from '../../testing/test-server.ts'
import { copyFetcher, networkFetcher } from './fetch-specifications.ts'
import { HOSTED_SPECIFICATIONS_MAX, HostedSpecifications } from './hosted-specifications.ts'
import { recordedFetcher } from './specification-fetcher.ts'

const document = (title: string) =>
  JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths: {} })
const NOON_MS = Date.UTC(2026, 0, 31, 12)

let cacheFolder = ''
let server: TestServer
let url = ''
beforeEach(async () => {
  cacheFolder = mkdtempSync(join(tmpdir(), 'octavo-copies-'))
  server = await TestServer.start((_, response) => response.end(document('Plants')))
  url = `${server.origin}/openapi.json`
})
afterEach(async () => {
  rmSync(cacheFolder, { recursive: true, force: true })
  await server[Symbol.asyncDispose]()
})

function network(now = NOON_MS, allowPrivateHosts = ['127.0.0.1']) {
  return networkFetcher({ cacheFolder, allowPrivateHosts, now: () => now })
}

const copyFile = () => {
  const folder = join(cacheFolder, 'specifications')
  return join(folder, readdirSync(folder)[0] ?? '')
}

describe('specifications from the network', () => {
  test('a hosted document is fetched only once per run', async () => {
    const fetcher = network()
    const [first, second] = await Promise.all([fetcher.fetch(url), fetcher.fetch(url)])
    expect(first).toEqual({ kind: 'loaded', text: document('Plants') })
    expect(second).toBe(first)
    expect(await fetcher.fetch(url)).toBe(first)
    expect(server.requests).toEqual(['GET /openapi.json'])
  })

  test('at most four documents are fetched at the same time', async () => {
    let waiting: (() => void)[] = []
    let most = 0
    const arrived = Promise.withResolvers<void>()
    server.respond = (_, response) => {
      waiting.push(() => response.end(document('Plants')))
      most = Math.max(most, waiting.length)
      if (waiting.length === 4) arrived.resolve()
    }
    const fetcher = network()
    const all = Promise.all(
      Array.from({ length: 6 }, (_, number) => fetcher.fetch(`${url}?${number}`)),
    )
    await arrived.promise
    server.respond = (_, response) => response.end(document('Plants'))
    for (const finish of waiting) finish()
    waiting = []
    expect((await all).map(({ kind }) => kind)).toEqual(Array(6).fill('loaded'))
    expect(most).toBe(4)
  })

  test('the next run sends a conditional request for a cached document', async () => {
    const requests: IncomingMessage['headers'][] = []
    server.respond = ({ headers }, response) => {
      requests.push(headers)
      if (headers['if-none-match'] === '"1"') response.writeHead(304).end()
      else
        response
          .writeHead(200, { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' })
          .end(document('Plants'))
    }
    await network().fetch(url)
    expect(await network().fetch(url)).toEqual({ kind: 'loaded', text: document('Plants') })
    expect(requests[0]).not.toHaveProperty('if-none-match')
    expect(requests[1]).toMatchObject({
      'if-none-match': '"1"',
      'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
    })
  })

  test('a changed document is used and replaces the cached copy', async () => {
    await network().fetch(url)
    server.respond = (_, response) => response.end(document('Seeds'))
    expect(await network().fetch(url)).toEqual({ kind: 'loaded', text: document('Seeds') })
    expect(await copyFetcher(cacheFolder).fetch(url)).toMatchObject({ text: document('Seeds') })
  })
})

describe('failures of the host', () => {
  test('a failed request without a copy makes the document unreachable and has a reason', async () => {
    server.respond = (_, response) => response.writeHead(500).end()
    expect(await network().fetch(url)).toMatchObject({
      kind: 'unreachable',
      reason: 'the server responded with status 500',
    })
  })

  test('with a copy, a failed request returns the stale copy with its date and the reason', async () => {
    await network(NOON_MS).fetch(url)
    server.respond = (_, response) => response.writeHead(500).end()
    const later = await network(NOON_MS + 1_000_000).fetch(url)
    expect(later).toEqual({
      kind: 'stale',
      because: 'unreachable',
      text: document('Plants'),
      fetchedAtMs: NOON_MS,
      reason: 'the server responded with status 500',
    })
    // The date is still the one on which the copy was fetched.
    expect(await network(NOON_MS + 2_000_000).fetch(url)).toEqual(later)
  })

  test('a redirect to a private host is treated as a failure of the redirecting host', async () => {
    const redirect = { location: 'http://10.0.0.1/openapi.json' }
    server.respond = (_, response) => response.writeHead(302, redirect).end()
    expect(await network().fetch(url)).toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('--allow-private-host 10.0.0.1'),
    })
    server.respond = (_, response) => response.end(document('Plants'))
    await network().fetch(url)
    server.respond = (_, response) => response.writeHead(302, redirect).end()
    expect(await network().fetch(url)).toMatchObject({ kind: 'stale', because: 'unreachable' })
  })

  test('a host that is no longer allowed is refused even if there is a copy', async () => {
    await network().fetch(url)
    expect(await network(NOON_MS, []).fetch(url)).toMatchObject({ kind: 'refused' })
  })
})

describe('unusable documents', () => {
  test.each([
    ['a web page', '<!doctype html>\n<p>Sign in', 'it is a web page, not a specification'],
    ['a web page without a type', '\n <html lang="en">', 'it is a web page, not a specification'],
    ['broken JSON', '{"openapi": "3.1.0",', 'line 1, column 21: Expected `}`'],
    ['something else', '{"plants": []}', 'line 1, column 1: The document has no OpenAPI version'],
    ['an empty file', '', 'line 1, column 1: The file is not an OpenAPI document'],
  ])('%s never replaces the cached copy of a document', async (_, text, reason) => {
    server.respond = (_request, response) => response.end(text)
    expect(await network().fetch(url)).toEqual({ kind: 'malformed', text })
    server.respond = (_request, response) => response.end(document('Plants'))
    await network().fetch(url)
    server.respond = (_request, response) => response.end(text)
    const stale = { kind: 'stale', because: 'unusable', text: document('Plants') }
    expect(await network().fetch(url)).toMatchObject({
      ...stale,
      reason: expect.stringContaining(reason),
    })
    expect(await network().fetch(url)).toMatchObject(stale)
  })
})

describe('cached copies', () => {
  test('only cached copies are used without a network', async () => {
    expect(await copyFetcher(cacheFolder).fetch(url)).toMatchObject({ kind: 'unreachable' })
    await network().fetch(url)
    server.requests.length = 0
    expect(await copyFetcher(cacheFolder).fetch(url)).toEqual({
      kind: 'loaded',
      text: document('Plants'),
    })
    expect(server.requests).toEqual([])
  })

  test.each([
    ['cut off', (bytes: string) => bytes.slice(0, -1)],
    ['changed', (bytes: string) => bytes.replace('Plants', 'Plonks')],
    ['of another URL', (bytes: string) => bytes.replace('openapi.json', 'other.json')],
    ['empty', () => ''],
  ])('a cached copy that is %s is ignored', async (_, damage) => {
    await network().fetch(url)
    writeFileSync(copyFile(), damage(readFileSync(copyFile(), 'utf8')))
    expect(await copyFetcher(cacheFolder).fetch(url)).toMatchObject({ kind: 'unreachable' })
    expect(await network().fetch(url)).toMatchObject({ kind: 'loaded' })
    expect(await copyFetcher(cacheFolder).fetch(url)).toMatchObject({ kind: 'loaded' })
  })

  test('no temporary file is left after a copy is written', async () => {
    await network().fetch(url)
    expect(readdirSync(join(cacheFolder, 'specifications'))).toHaveLength(1)
  })

  test('a run continues if a copy cannot be written', async () => {
    rmSync(cacheFolder, { recursive: true })
    mkdirSync(cacheFolder)
    writeFileSync(join(cacheFolder, 'specifications'), 'a file where the folder should be')
    expect(await network().fetch(url)).toMatchObject({ kind: 'loaded' })
  })
})

test('a site can fetch at most 100 hosted documents', async () => {
  const hosted = new HostedSpecifications()
  const urls = Array.from(
    { length: HOSTED_SPECIFICATIONS_MAX + 1 },
    (_, number) => `${url}?${number}`,
  )
  for (const one of urls) hosted.outcome(one)
  await hosted.fetch(
    recordedFetcher(new Map(urls.map((one) => [one, { kind: 'loaded', text: '' }]))),
  )
  expect(hosted.unfetched).toEqual([])
  expect(hosted.outcome(urls[HOSTED_SPECIFICATIONS_MAX - 1] ?? '')).toMatchObject({
    kind: 'loaded',
  })
  expect(hosted.outcome(urls[HOSTED_SPECIFICATIONS_MAX] ?? '')).toMatchObject({
    kind: 'refused',
    reason: 'a site can fetch at most 100 specifications and parts of them',
  })
})
