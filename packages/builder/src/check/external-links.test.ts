import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkSite } from '../pipeline/check-site.ts'
import { type Answer, isPrivate } from './ask-address.ts'

const SITE = join(import.meta.dirname, '../../../../fixtures/checks/dead-external-link')
let cacheFolder = ''
beforeEach(() => {
  cacheFolder = mkdtempSync(join(tmpdir(), 'octavo-external-'))
})
afterEach(() => rmSync(cacheFolder, { recursive: true, force: true }))

async function check(nowMs: number, answer: (url: string) => Answer) {
  const asked: string[] = []
  const { diagnostics } = await checkSite({
    folder: SITE,
    cacheFolder,
    version: 'test',
    external: {
      cacheFile: join(cacheFolder, 'external-links.json'),
      nowMs,
      ask: async (url) => {
        asked.push(url)
        return answer(url)
      },
    },
  })
  return {
    asked,
    found: diagnostics.map(({ place, code }) => `${place.file}:${place.line} ${code}`),
  }
}

const gone = (url: string): Answer =>
  url.endsWith('/old') ? { kind: 'gone', reason: 'its site answers 404' } : { kind: 'there' }

describe('links to other sites', () => {
  test('are reported when their site says that the page is gone', async () => {
    const expected = readFileSync(join(SITE, 'faults.txt'), 'utf8').trim().split('\n')
    expect((await check(0, gone)).found).toEqual(expected)
  })

  test('are asked for once each; examples, templates and this machine are not asked', async () => {
    expect((await check(0, gone)).asked.toSorted()).toEqual([
      'https://shop.plants.io/new',
      'https://shop.plants.io/old',
    ])
  })

  test('are not asked for again within a day, and again after it', async () => {
    const day = 24 * 3_600_000
    await check(0, gone)
    const soon = await check(day - 1, gone)
    expect(soon.asked).toEqual([])
    expect(soon.found).toHaveLength(2)
    expect((await check(day, gone)).asked).toHaveLength(2)
  })

  test('say nothing when the answer is unclear', async () => {
    expect((await check(0, () => ({ kind: 'unclear' }))).found).toEqual([])
  })
})

describe('addresses that are never asked', () => {
  test.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0'])(
    '%s',
    (address) => expect(isPrivate({ address, family: 4 })).toBe(true),
  )
  test.each(['::1', '::', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1'])('%s', (address) =>
    expect(isPrivate({ address, family: 6 })).toBe(true),
  )
  test.each([
    ['1.1.1.1', 4],
    ['172.32.0.1', 4],
    ['2606:4700::1111', 6],
  ])('but %s is', (address, family) => expect(isPrivate({ address, family })).toBe(false))
})
