import { describe, expect, test } from 'vitest'
import { checkDependencies, type ReviewedPackage } from './dependencies/check-dependencies.ts'
import { printSbom } from './dependencies/print-sbom.ts'
import { findSecrets } from './secrets/find-secrets.ts'

const GOOD: ReviewedPackage = {
  version: '1.2.3',
  license: 'MIT',
  integrity: `sha512-${Buffer.from('ab').toString('base64')}`,
  resolved: 'https://packages.example/library.tgz',
}
const withLibrary = (changes: Partial<ReviewedPackage>) => ({
  packages: { '': {}, 'node_modules/library': { ...GOOD, ...changes } },
})
const violationsOf = (changes: Partial<ReviewedPackage>, allowScripts = {}) =>
  checkDependencies(withLibrary(changes), allowScripts, {}).violations

describe('dependency review', () => {
  test.each(['MIT', '(MIT OR CC0-1.0)', 'GPL-3.0-only OR ISC', 'MIT AND ISC'])(
    'the license %s of a dependency is accepted',
    (license) => expect(violationsOf({ license })).toEqual([]),
  )

  test.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN file', ''])(
    'the license "%s" of a dependency is rejected',
    (license) => {
      expect(violationsOf({ license })).toEqual([
        `library@1.2.3: license "${license}" is not on the list`,
      ])
    },
  )

  test('only development tools can have the license MPL-2.0', () => {
    expect(violationsOf({ license: 'MPL-2.0', dev: true })).toEqual([])
    expect(violationsOf({ license: 'MPL-2.0' })).toHaveLength(1)
  })

  test('a dependency with an install script that is not reviewed is reported', () => {
    expect(violationsOf({ hasInstallScript: true })).toHaveLength(1)
    expect(violationsOf({ hasInstallScript: true }, { library: false })).toEqual([])
  })

  test('a dependency without an integrity hash or HTTPS is reported', () => {
    const { integrity: _, ...bare } = GOOD
    const lockfile = { packages: { 'node_modules/library': bare } }
    expect(checkDependencies(lockfile, {}, {}).violations).toEqual([
      'library@1.2.3: has no integrity',
    ])
    expect(violationsOf({ resolved: 'http://packages.example/library.tgz' })).toHaveLength(1)
    expect(violationsOf({ resolved: 'git+ssh://example/library' })).toHaveLength(1)
  })
})

test('the SBOM has hashes and no development tools, and is reproducible', () => {
  const lockfile = {
    packages: { 'node_modules/@scope/library': GOOD, 'node_modules/tool': { ...GOOD, dev: true } },
  }
  const text = printSbom(lockfile)
  expect(text).toBe(printSbom(lockfile))
  expect(JSON.parse(text)).toMatchObject({
    bomFormat: 'CycloneDX',
    serialNumber: expect.stringMatching(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-/),
    components: [
      {
        name: '@scope/library',
        purl: 'pkg:npm/%40scope/library@1.2.3',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: '6162' }],
      },
    ],
  })
})

describe('secret scan', () => {
  const pem = (kind: string) => `-----BEGIN ${kind}PRIVATE KEY-----\n${'A1b2'.repeat(20)}`

  test.each([
    ['key of GitHub', `ghp_${'a1B2'.repeat(9)}`],
    ['key of AWS', `AKIA${'A1B2'.repeat(4)}`],
    ['key of a model provider', `sk-proj-${'a1B2'.repeat(8)}`],
    ['private key', pem('RSA ')],
    ['signed token', `eyJ${'a1'.repeat(10)}.eyJ${'b2'.repeat(10)}.${'c3'.repeat(20)}`],
  ])('the secret scan finds a %s and its line', (kind, key) => {
    expect(findSecrets(`first\n${key}\n`)).toMatchObject([{ line: 2, kind }])
    expect(JSON.stringify(findSecrets(key))).not.toContain(key.slice(0, 20))
  })

  test('the secret scan ignores placeholders and known sample keys', () => {
    expect(findSecrets('ghp_… sk-proj-YOUR_KEY octavo_adm_… eyJhbGciOi…')).toEqual([])
    const key = `ghp_${'a1B2'.repeat(9)}`
    const hashes = new Set(findSecrets(key).map(({ hash }) => hash))
    expect(findSecrets(key, hashes)).toEqual([])
  })
})
