/** Tests fonts from packages of an npm registry, and the record of their versions. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type FontRegistry,
  fontFiles,
  packFiles,
  publish,
  startFontRegistry,
} from '../../../testing/font-registry.ts'
import { copyFetcher, networkFetcher } from '../fetchers.ts'
import {
  FONT_RECORD_FILE,
  familySource,
  parsePackageSource,
  readFontRecord,
  recordedSource,
} from './font-record.ts'
import { readArchive } from './read-archive.ts'

const LATEST = 'GET /@fontsource-variable%2fgarden-serif/latest'
const ARCHIVE = (version: string) =>
  `GET /@fontsource-variable/garden-serif/-/garden-serif-${version}.tgz`
const FAMILY = 'Garden Serif'
const LATEST_SOURCE = familySource(FAMILY) ?? ''

let registry: FontRegistry
let root: string
beforeEach(async () => {
  registry = await startFontRegistry()
  root = mkdtempSync(join(tmpdir(), 'octavo-fonts-'))
})
afterEach(async () => {
  await registry[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})

const record = () => readFileSync(join(root, FONT_RECORD_FILE), 'utf8')

function fetchFont(source: string, { isRecorded = true } = {}) {
  return networkFetcher({
    cacheFolder: join(root, 'cache'),
    allowPrivateHosts: ['127.0.0.1'],
    registry: registry.origin,
    now: () => 0,
    recordFolder: isRecorded ? root : undefined,
  }).fetchFont(source)
}

test('the latest package of a family is fetched, and recorded with its version and digest', async () => {
  expect(await fetchFont(LATEST_SOURCE)).toMatchObject({ kind: 'package' })
  expect(registry.requests).toEqual([LATEST, ARCHIVE('5.0.1')])
  const { version, integrity } = registry.latest
  const name = '@fontsource-variable/garden-serif'
  expect(JSON.parse(record())).toEqual({ 'garden-serif': { name, version, integrity } })
  expect(readFontRecord(record(), FAMILY)).toEqual({ name, version, integrity })
})

test('nothing is recorded unless a folder is given', async () => {
  await fetchFont(LATEST_SOURCE, { isRecorded: false })
  expect(existsSync(join(root, FONT_RECORD_FILE))).toBe(false)
})

test('a recorded package is used although there is a later version, and is fetched only once', async () => {
  await fetchFont(LATEST_SOURCE)
  const recorded = readFontRecord(record(), FAMILY)
  if (recorded === undefined) throw new Error('nothing was recorded')
  rmSync(join(root, 'cache'), { recursive: true })
  registry.latest = publish('6.0.0', packFiles({ 'package.json': '{"new":true}' }))
  for (let run = 0; run < 2; run += 1)
    expect(await fetchFont(recordedSource(recorded))).toMatchObject({ package: recorded })
  expect(registry.requests).toEqual([LATEST, ARCHIVE('5.0.1'), ARCHIVE('5.0.1')])
})

test('an archive with another digest than the recorded one is refused', async () => {
  const { version, archive, integrity } = registry.latest
  registry.latest = { version, archive: packFiles(fontFiles('other')), integrity }
  expect(await fetchFont(LATEST_SOURCE)).toEqual({
    kind: 'failed',
    reason: 'does not match the recorded digest of version 5.0.1',
  })
  expect(existsSync(join(root, FONT_RECORD_FILE))).toBe(false)
  registry.latest = { version, archive, integrity }
  expect(await fetchFont(LATEST_SOURCE)).toMatchObject({ kind: 'package' })
})

test('a package that does not exist is not found in either scope', async () => {
  const outcome = await fetchFont(familySource('Nobody') ?? '')
  expect(registry.requests).toEqual([
    'GET /@fontsource-variable%2fnobody/latest',
    'GET /@fontsource%2fnobody/latest',
  ])
  expect(outcome).toMatchObject({ kind: 'failed' })
})

test('without a network, the copy of an earlier run is used', async () => {
  const offline = () => copyFetcher(join(root, 'cache')).fetchFont(LATEST_SOURCE)
  expect(await offline()).toMatchObject({ kind: 'failed' })
  await fetchFont(LATEST_SOURCE)
  expect(await offline()).toMatchObject({ kind: 'package' })
  await registry[Symbol.asyncDispose]()
  expect(await fetchFont(LATEST_SOURCE)).toMatchObject({ kind: 'package' })
})

describe('records that are not valid', () => {
  const name = '@fontsource-variable/lora'
  const integrity = `sha512-${'A'.repeat(86)}==`
  const valid = { name, version: '5.0.0', integrity }
  const read = (value: unknown) => readFontRecord(JSON.stringify({ lora: value }), 'Lora')

  test('a record with a valid name, version and digest is used', () => {
    expect(read(valid)).toEqual(valid)
    expect(parsePackageSource(recordedSource(valid))).toEqual(valid)
  })

  test.each([
    { ...valid, name: '@fontsource-variable/inter' },
    { ...valid, name: '../../lora' },
    { ...valid, name: 'lora' },
    { ...valid, version: '5.0.0/../../x' },
    { ...valid, version: 'latest' },
    { ...valid, integrity: 'sha1-AAAA' },
    { ...valid, integrity: undefined },
    'lora',
    null,
  ])('%j is ignored', (value) => {
    expect(read(value)).toBeUndefined()
  })

  test.each(['{', '[]', '<<<<<<< ours'])('a damaged file is not replaced: %s', async (damaged) => {
    expect(readFontRecord(damaged, 'Lora')).toBeUndefined()
    writeFileSync(join(root, FONT_RECORD_FILE), damaged)
    await fetchFont(LATEST_SOURCE)
    expect(record()).toBe(damaged)
  })

  test('a family whose name no package can have has no source', () => {
    expect([familySource('Źródło'), familySource('a/b'), familySource('..')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('archives', () => {
  test('the files of a package are read by path, with long names', () => {
    const long = `files/${'a'.repeat(80)}/${'b'.repeat(80)}.txt`
    const files = readArchive(packFiles({ 'a.txt': 'A', [long]: 'B', 'empty.txt': '' }))
    const texts = [...(files ?? [])].map(([path, bytes]) => [path, Buffer.from(bytes).toString()])
    expect(Object.fromEntries(texts)).toEqual({ 'a.txt': 'A', [long]: 'B', 'empty.txt': '' })
  })

  test.each([
    ['text', Buffer.from('not an archive')],
    ['cut', packFiles({ 'a.txt': 'A'.repeat(2_000) }).subarray(0, 100)],
    ['with a size beyond its end', gzipSync(header('package/a.txt', '00000077777'))],
    ['with a size that is not a number', gzipSync(header('package/a.txt', 'x'))],
    ['larger than 64 MB when unpacked', gzipSync(Buffer.alloc(64_000_001))],
  ])('an archive that is %s is rejected', (_, archive) => {
    expect(readArchive(archive)).toBeUndefined()
  })

  test('a file outside of the folder of the package, and a link, are not read', () => {
    const outside = gzipSync(
      Buffer.concat([header('../a.txt', '0'), header('package/b', '0', '2')]),
    )
    expect([...(readArchive(outside) ?? [])]).toEqual([])
  })
})

function header(name: string, size: string, type = '0'): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(size, 124)
  block.write(type, 156)
  return block
}
