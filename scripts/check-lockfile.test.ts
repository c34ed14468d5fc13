import { describe, expect, test } from 'vitest'
import { checkLockfile, type LockedPackage } from './check-lockfile.ts'

const integrity = 'sha512-AAAA'

/** A complete lockfile with a workspace, a tool with binaries for two platforms, and a library. */
const GOOD = {
  '': { version: '0.0.0' },
  'packages/model': { version: '0.0.0' },
  'node_modules/@octavo/model': { resolved: 'packages/model', link: true },
  'node_modules/tool': {
    version: '1.2.3',
    integrity,
    optionalDependencies: { '@tool/linux-x64': '1.2.3', '@tool/darwin-arm64': '1.2.3' },
  },
  'node_modules/@tool/linux-x64': { version: '1.2.3', integrity },
  'node_modules/@tool/darwin-arm64': { version: '1.2.3', integrity },
  'node_modules/library': { version: '2.0.0', integrity },
} satisfies Record<string, LockedPackage>

const REMEDY =
  'is not locked; run npm install, and if that does not add it, ' +
  'pin a version whose optional dependencies the registry has in full'

function checkWith(changes: Readonly<Record<string, LockedPackage>>): readonly string[] {
  return checkLockfile({ packages: { ...GOOD, ...changes } })
}

describe('locked platform binaries', () => {
  test('a lockfile with every platform binary is complete', () => {
    expect(checkWith({})).toEqual([])
  })

  test('a platform binary that the lockfile lacks is reported', () => {
    const { 'node_modules/@tool/darwin-arm64': _, ...packages } = GOOD
    expect(checkLockfile({ packages })).toEqual([`tool@1.2.3: @tool/darwin-arm64@1.2.3 ${REMEDY}`])
  })

  test('a platform binary can be in the folder of its tool or in a parent folder', () => {
    const optionalDependencies = { '@tool/linux-x64': '1.0.0', '@tool/darwin-arm64': '1.2.3' }
    const older = 'node_modules/library/node_modules/tool'
    const changes = { [older]: { version: '1.0.0', integrity, optionalDependencies } }
    const binary = { version: '1.0.0', integrity }
    for (const folder of [older, 'node_modules/library'])
      expect(checkWith({ ...changes, [`${folder}/node_modules/@tool/linux-x64`]: binary })).toEqual(
        [],
      )
  })

  test('a platform binary of another version does not count', () => {
    const optionalDependencies = { '@tool/linux-x64': '1.0.0' }
    const older = { version: '1.0.0', integrity, optionalDependencies }
    expect(checkWith({ 'node_modules/library/node_modules/tool': older })).toEqual([
      `tool@1.0.0: @tool/linux-x64@1.0.0 ${REMEDY}`,
    ])
  })

  test('a platform binary that is requested by a range can have any version', () => {
    const optionalDependencies = { '@tool/linux-x64': '^1.0.0' }
    expect(
      checkWith({ 'node_modules/other': { version: '1.0.0', integrity, optionalDependencies } }),
    ).toEqual([])
  })

  test('optional dependencies of workspaces and the root are checked too', () => {
    const optionalDependencies = { absent: '^1.0.0' }
    expect(checkWith({ '': { optionalDependencies } })).toEqual([
      `the root: absent@^1.0.0 ${REMEDY}`,
    ])
    expect(checkWith({ 'packages/model': { version: '0.0.0', optionalDependencies } })).toEqual([
      `packages/model@0.0.0: absent@^1.0.0 ${REMEDY}`,
    ])
  })
})

describe('integrity hashes of fetched packages', () => {
  test('a fetched package without an integrity hash is reported, but a workspace is not', () => {
    expect(checkWith({ 'node_modules/@tool/linux-x64': { version: '1.2.3' } })).toEqual([
      '@tool/linux-x64@1.2.3: has no integrity; remove its entry and run npm install',
    ])
  })

  test('a folder to which no entry links is not a workspace', () => {
    expect(checkWith({ 'packages/stray': { version: '1.0.0' } })).toHaveLength(1)
  })
})
