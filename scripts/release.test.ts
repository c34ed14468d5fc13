import { describe, expect, test } from 'vitest'
import { VERSION } from '../packages/model/src/version.ts'
import {
  changelogObstacles,
  type NameState,
  nameObstacles,
  packageObstacles,
  readChangelog,
} from './release/obstacles.ts'

describe('changelog section of a release', () => {
  const text =
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\nNews.\n\n## 0.1.0 (2026-11-18)\n'

  test('a changelog section with a date and text is accepted', () => {
    expect(changelogObstacles(text, '0.2.0')).toEqual([])
  })

  test.each([
    [
      text,
      '0.3.0',
      'CHANGELOG.md has no section "## 0.3.0 (<date>)". Describe what changes for users.',
    ],
    [text, '0.1.0', 'CHANGELOG.md says nothing about 0.1.0.'],
    [
      '## 0.2.0 (soon)\n\nNews.',
      '0.2.0',
      'CHANGELOG.md: "## 0.2.0 (soon)" has no date. Write it as (2026-11-18).',
    ],
  ])(
    'an incomplete changelog of a release is rejected: case %#',
    (changelog, version, obstacle) => {
      expect(changelogObstacles(changelog, version)).toEqual([obstacle])
    },
  )

  test('CHANGELOG.md has a section for this version', () => {
    expect(changelogObstacles(readChangelog(`${import.meta.dirname}/..`), VERSION)).toEqual([])
  })
})

describe('package names of a release', () => {
  const states = (state: NameState) => new Map([['octavo', state]])
  const taken: NameState = { kind: 'taken', maintainers: ['ada', 'grace'] }

  test('package names that are free or ours are accepted', () => {
    expect(nameObstacles(states({ kind: 'free' }), undefined)).toEqual([])
    expect(nameObstacles(states(taken), 'grace')).toEqual([])
  })

  test('a package name of another maintainer is rejected with an alternative', () => {
    expect(nameObstacles(states(taken), 'mallory')).toEqual([
      'octavo is taken by ada, grace. You are mallory; otherwise publish under a scope of yours, such as @octavo-docs/octavo, and change the name in scripts/build.ts, the action and the documentation.',
    ])
    expect(nameObstacles(states(taken), undefined)[0]).toContain('Run `npm login` if that is you')
  })

  test('a release is not possible if the registry is unreachable', () => {
    expect(nameObstacles(states({ kind: 'unknown', reason: 'ECONNREFUSED' }), 'ada')).toEqual([
      'Cannot check if octavo is free: ECONNREFUSED. Try again.',
    ])
  })
})

test('a release needs all three packages with the same version', () => {
  const one = (name: string, version = '0.1.0') => ({ name, version, folder: '', bin: [name] })
  const all = ['octavo', 'octavo-service', 'create-octavo'].map((name) => one(name))
  expect(packageObstacles(all, '0.1.0')).toEqual([])
  expect(packageObstacles([one('octavo', '0.0.9'), one('create-octavo')], '0.1.0')).toEqual([
    'dist/octavo-service does not exist. `npm run build` writes it.',
    'octavo has the version 0.0.9, not 0.1.0.',
  ])
})
