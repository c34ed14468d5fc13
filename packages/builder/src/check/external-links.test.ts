import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestServer } from '../../testing/test-server.ts'
import { checkSite } from '../pipeline/check-site.ts'

const FIXTURE = join(import.meta.dirname, '../../../../fixtures/checks/dead-external-link')
const DAY_MS = 24 * 3_600_000

let root = ''
let shop: TestServer
beforeEach(async () => {
  shop = await TestServer.start(({ url }, response) => {
    response.writeHead(url === '/old' ? 404 : 200).end()
  })
  root = mkdtempSync(join(tmpdir(), 'octavo-external-'))
  cpSync(FIXTURE, join(root, 'docs'), { recursive: true })
  const page = join(root, 'docs/index.mdx')
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replaceAll('https://shop.plants.io', () => shop.origin),
  )
})
afterEach(async () => {
  rmSync(root, { recursive: true, force: true })
  await shop[Symbol.asyncDispose]()
})

async function check(nowMs: number, allowPrivateHosts = ['127.0.0.1']) {
  shop.requests.length = 0
  const { diagnostics } = await checkSite({
    folder: join(root, 'docs'),
    cacheFolder: join(root, 'cache'),
    version: 'test',
    isTrusted: true,
    external: { cacheFile: join(root, 'cache/external-links.json'), nowMs, allowPrivateHosts },
  })
  return {
    asked: shop.requests.toSorted(),
    found: diagnostics.map(({ place, code }) => `${place.file}:${place.line} ${code}`),
  }
}

describe('links to other sites', () => {
  test('an external link is reported if the linked site responds that the page is gone', async () => {
    const expected = readFileSync(join(FIXTURE, 'faults.txt'), 'utf8').trim().split('\n')
    expect((await check(0)).found).toEqual(expected)
  })

  test('each URL is requested once, but examples, templates and local hosts are skipped', async () => {
    // If a page seems to be gone, it is requested again with GET.
    expect((await check(0)).asked).toEqual(['GET /old', 'HEAD /new', 'HEAD /old'])
  })

  test('an external link is checked again only after a day', async () => {
    await check(0)
    const soon = await check(DAY_MS - 1)
    expect(soon.asked).toEqual([])
    expect(soon.found).toHaveLength(2)
    expect((await check(DAY_MS)).asked).toHaveLength(3)
  })

  test('an external link is not reported if the response is inconclusive', async () => {
    shop.respond = (_, response) => response.writeHead(503).end()
    expect((await check(0)).found).toEqual([])
  })

  test('an external link is not reported if only HEAD fails', async () => {
    shop.respond = ({ method }, response) => response.writeHead(method === 'HEAD' ? 404 : 200).end()
    expect((await check(0)).found).toEqual([])
  })

  test('a private host is requested only if it is explicitly allowed', async () => {
    expect(await check(0, [])).toEqual({ asked: [], found: [] })
    expect(await check(0, ['localhost.example'])).toEqual({ asked: [], found: [] })
  })
})
