import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builderVersion } from './builder-version.ts'
import { installedPackages, nameAndVersion } from './installed-packages.ts'

let root: string

/**
 * Creates an installation like ours: two workspace packages and four dependencies, one of which has
 * two versions.
 */
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'octavo-install-')))
  install('packages/builder', `@octavo/builder@0.0.0`, ['@octavo/theme', 'esbuild'])
  install('packages/theme', `@octavo/theme@0.0.0`, ['katex', 'shiki'])
  write('packages/builder/src/index.ts', 'export const a = 1')
  write('packages/theme/src/frame/menu.tsx', 'export const menu = <nav />')
  write('packages/theme/src/styles/site.css', 'a { color: red }')
  write('packages/theme/src/frame/menu.test.ts', 'test()')
  write('packages/theme/testing/sample.ts', 'export const sample = 1')
  mkdirSync(join(root, 'node_modules/@octavo'), { recursive: true })
  symlinkSync(join(root, 'packages/theme'), join(root, 'node_modules/@octavo/theme'))
  install('node_modules/esbuild', 'esbuild@0.28.2')
  install('node_modules/katex', 'katex@0.19.1', ['commander'])
  install('node_modules/shiki', 'shiki@4.6.0', ['commander'])
  install('node_modules/shiki/node_modules/commander', 'commander@9.0.0')
  install('node_modules/commander', 'commander@8.3.0', ['katex'])
  install('node_modules/unrelated', 'unrelated@1.0.0')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function install(folder: string, named: string, needs: readonly string[] = []): void {
  const at = named.lastIndexOf('@')
  const dependencies = Object.fromEntries(needs.map((name) => [name, '*']))
  // This dependency is not installed, like an optional binary for another platform.
  const optionalDependencies = { 'not-for-this-platform': '*' }
  write(
    `${folder}/package.json`,
    JSON.stringify({
      name: named.slice(0, at),
      version: named.slice(at + 1),
      dependencies,
      optionalDependencies,
    }),
  )
}

const version = () => builderVersion(join(root, 'packages/builder'))

describe('the builder version', () => {
  test('the builder version does not change while the installation is the same', () => {
    expect(version()).toBe(version())
  })

  test.each([
    ['a .ts file', () => write('packages/builder/src/index.ts', 'export const a = 2')],
    ['a .tsx file', () => write('packages/theme/src/frame/menu.tsx', 'export const menu = <ol />')],
    ['a stylesheet', () => write('packages/theme/src/styles/site.css', 'a { color: blue }')],
    ['a new file', () => write('packages/theme/src/new.json', '{}')],
    ['a package', () => install('node_modules/esbuild', 'esbuild@0.28.3')],
    ['a package of a package', () => install('node_modules/commander', 'commander@8.3.1')],
    [
      'a nested copy of a package',
      () => install('node_modules/shiki/node_modules/commander', 'commander@9.0.1'),
    ],
    [
      'a new optional package',
      () => install('node_modules/not-for-this-platform', 'not-for-this-platform@1.0.0'),
    ],
  ])('the builder version changes after a change of %s', (_, change) => {
    const before = version()
    change()
    expect(version()).not.toBe(before)
  })

  test.each([
    ['a test', () => write('packages/theme/src/frame/menu.test.ts', 'test(2)')],
    ['a test helper', () => write('packages/theme/testing/sample.ts', 'export {}')],
    ['an unused package', () => install('node_modules/unrelated', 'unrelated@2.0.0')],
  ])('the builder version does not change after a change of %s', (_, change) => {
    const before = version()
    change()
    expect(version()).toBe(before)
  })
})

describe('the installed packages of the builder', () => {
  test('a dependency is resolved from the package that needs it, so both of its versions are listed', () => {
    expect(installedPackages(join(root, 'packages/builder')).map(nameAndVersion)).toEqual([
      `@octavo/builder@0.0.0`,
      `@octavo/theme@0.0.0`,
      'commander@8.3.0',
      'commander@9.0.0',
      'esbuild@0.28.2',
      'katex@0.19.1',
      'shiki@4.6.0',
    ])
  })

  test('the installed packages include those that determine the output', () => {
    const names = installedPackages(join(import.meta.dirname, '../..')).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['@octavo/model', '@octavo/browser', 'satteri', 'acorn', 'js-yaml', 'katex', 'esbuild'],
        ...['@shikijs/langs', 'oniguruma-to-es', 'mermaid', 'd3', 'preact', '@fontsource/inter'],
        ...['@fontsource-variable/inter'],
        ...['@iconify-json/lucide', '@iconify-json/tabler', 'ignore'],
      ]),
    )
  })
})
