import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { readSettings } from '../../app/settings/env.ts'
import { createKeyRing, type SecretKey } from './key-ring.ts'
import { createSecretStore } from './store.ts'

const key = (id: string): SecretKey => ({ id, bytes: randomBytes(32) })
const [first, second] = [key('2026'), key('2027')]

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const storeOf = ({ tenant }: TestProject, keys: readonly SecretKey[]) =>
  createSecretStore(service.service.database.forProject(tenant), createKeyRing(keys))

const rotate = (secretKeys: readonly SecretKey[], lines: string[]) =>
  runCommand(['secrets', 'rotate'], {
    settings: { ...service.settings, secretKeys },
    print: (line) => lines.push(line),
    now: Date.now,
  })

describe('an encrypted secret', () => {
  const ring = createKeyRing([first])
  const sealed = ring.seal('ghp_token', 'project git')

  test('decryption returns the original secret, and encrypting it again returns other bytes', () => {
    expect(ring.open(sealed, 'project git')).toBe('ghp_token')
    expect(ring.seal('ghp_token', 'project git').bytes).not.toEqual(sealed.bytes)
    expect(sealed.bytes.includes('ghp_token')).toBe(false)
  })

  test('a secret cannot be decrypted in another place, with another key, or if any byte changed', () => {
    expect(() => ring.open(sealed, 'other git')).toThrow()
    expect(() => createKeyRing([{ ...second, id: '2026' }]).open(sealed, 'project git')).toThrow()
    for (let place = 0; place < sealed.bytes.length; place += 1) {
      const bytes = Buffer.from(sealed.bytes)
      bytes[place] = (bytes[place] ?? 0) ^ 1
      expect(() => ring.open({ ...sealed, bytes }, 'project git')).toThrow()
    }
    for (let length = 0; length < sealed.bytes.length; length += 1)
      expect(() =>
        ring.open({ ...sealed, bytes: sealed.bytes.subarray(0, length) }, 'project git'),
      ).toThrow()
  })

  test('the error for a missing key contains the key id', () => {
    expect(() => createKeyRing([second]).open(sealed, 'project git')).toThrow(
      'OCTAVO_SECRET_KEYS does not contain the key "2026"',
    )
    expect(() => createKeyRing([])).toThrow('OCTAVO_SECRET_KEYS is not set')
  })
})

describe('the secrets of a project', () => {
  test('secrets can be written, replaced and removed, and other projects cannot read them', async () => {
    const [mine, other] = [await service.createProject(), await service.createProject()]
    const secrets = storeOf(mine, [first])
    await secrets.write('git', 'one')
    await secrets.write('git', 'two')
    expect(await secrets.read('git')).toBe('two')
    expect(await storeOf(other, [first]).read('git')).toBeUndefined()
    await secrets.remove('git')
    expect(await secrets.read('git')).toBeUndefined()
  })

  test('a secret copied to another project cannot be decrypted', async () => {
    const [mine, other] = [await service.createProject(), await service.createProject()]
    await storeOf(mine, [first]).write('git', 'one')
    await service.owner.query(
      'insert into secret select $2, name, key_id, sealed from secret where project_id = $1',
      [mine.id, other.id],
    )
    await expect(storeOf(other, [first]).read('git')).rejects.toThrow('cannot decrypt this secret')
    const lines: string[] = []
    const rotation = rotate([second, first], lines)
    await expect(rotation).rejects.toThrow('1 secrets could not be decrypted.')
    expect(lines).toContainEqual(expect.stringContaining(`Not changed: ${other.publicId} git: `))
    await storeOf(other, [first]).remove('git')
  })

  test('secrets remain readable after the key is rotated and the old key is removed', async () => {
    const mine = await service.createProject()
    await storeOf(mine, [first]).write('git', 'token')
    const both = [second, first]
    expect(await storeOf(mine, both).read('git')).toBe('token')
    const lines: string[] = []
    await rotate(both, lines)
    expect(lines[0]).toBe('Encrypted 1 secrets with the key "2027".')
    expect(await storeOf(mine, [second]).read('git')).toBe('token')
    await expect(rotate([], [])).rejects.toThrow('OCTAVO_SECRET_KEYS is not set.')
  })
})

describe('the OCTAVO_SECRET_KEYS setting', () => {
  const base64 = (bytes: number) => randomBytes(bytes).toString('base64')
  const read = (OCTAVO_SECRET_KEYS: string) =>
    readSettings({
      DATABASE_URL: 'postgres://user@host/octavo',
      OCTAVO_KEY_PEPPER: 'x'.repeat(32),
      OCTAVO_SECRET_KEYS,
    })

  test('OCTAVO_SECRET_KEYS is a list with the current key first', () => {
    const found = read(`b:${base64(32)}, a:${base64(32)}`)
    expect(found.kind === 'read' && found.settings.secretKeys.map(({ id }) => id)).toEqual([
      'b',
      'a',
    ])
  })

  test.each([
    `a:${base64(31)}`,
    `a:${base64(33)}`,
    base64(32),
    'a:',
    `a:${base64(32)},a:${base64(32)}`,
    `a b:${base64(32)}`,
  ])('the invalid OCTAVO_SECRET_KEYS value %s is rejected', (text) => {
    expect(read(text)).toMatchObject({
      kind: 'wrong',
      reasons: [expect.stringContaining('OCTAVO_SECRET_KEYS must be a list of keys')],
    })
  })
})
