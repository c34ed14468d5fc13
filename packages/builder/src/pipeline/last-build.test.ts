import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashBytes } from '../source/hash-bytes.ts'
import { readFolder } from '../source/read-folder.ts'
import type { BuildOptions } from './build-site.ts'
import type { BuildResult } from './build-tree.ts'
import { type GitUses, LastBuild } from './last-build.ts'

const RESULT: BuildResult = {
  isLoaded: true,
  hasFailedPages: false,
  diagnostics: [],
  suppressedCount: 1,
  knownCount: 2,
  fixedCount: 3,
  stoppingCount: 4,
  pageCount: 5,
  compiledCount: 6,
  outputCount: 7,
  writtenCount: 8,
  removedCount: 9,
  publicUrl: undefined,
}
const FOUND = { ...RESULT, compiledCount: 0, writtenCount: 0, removedCount: 0 }
const SETTLED = { isReliable: () => true, recentHash: () => undefined }
const NO_GIT: GitUses = { repository: false, history: false }
const BUILT = { uses: NO_GIT, state: SETTLED, edits: undefined }

let root: string
let options: BuildOptions
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-last-'))
  const [folder, output, cacheFolder] = ['docs', 'out', 'cache'].map((name) =>
    join(root, name),
  ) as [string, string, string]
  options = { folder, output, cacheFolder, version: 'test', isTrusted: true }
  write('docs/docs.json', '{}')
  write('docs/guides/start.mdx', 'Start')
  write('out/.octavo-build.json', '{}')
  write('out/guides/start/index.html', 'Start')
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

const open = (changed: Partial<BuildOptions> = {}) =>
  new LastBuild(readFolder(options.folder), { ...options, ...changed })

function save(uses = NO_GIT): void {
  open().save(RESULT, { uses, state: SETTLED, edits: undefined })
}

function git(...args: readonly string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  execFileSync('git', [...author, ...args], { cwd: options.folder, stdio: 'ignore' })
}

function damage(): void {
  for (const name of readdirSync(options.cacheFolder)) write(`cache/${name}`, '{')
}

describe('the last build of a folder', () => {
  test('its result is used again while nothing has changed', () => {
    expect(open().find()).toBeUndefined()
    save()
    expect(open().find()).toEqual(FOUND)
  })

  test('options that cannot change the result are ignored', () => {
    save()
    expect(open({ workersMax: 3, onProgress: () => {} }).find()).toEqual(FOUND)
  })

  test.each<[string, () => void]>([
    ['an edit', () => write('docs/guides/start.mdx', 'Another')],
    ['a new file', () => write('docs/new.mdx', 'New')],
    ['a removed file', () => rmSync(join(root, 'docs/guides/start.mdx'))],
    ['a new rule to ignore files', () => write('docs/.octavoignore', 'guides\n')],
    ['a removed output', () => rmSync(join(root, 'out/guides/start/index.html'))],
    ['a removed output folder', () => rmSync(join(root, 'out'), { recursive: true })],
    ['an added file among the outputs', () => write('out/guides/other.html', '')],
    ['another build into the same folder', () => write('out/.octavo-build.json', '{ }')],
    ['damage to the stored result', damage],
  ])('%s makes a build necessary', (_, change) => {
    save()
    change()
    expect(open().find()).toBeUndefined()
  })

  test.each<[string, Partial<BuildOptions>]>([
    ['another version of the builder', { version: 'other' }],
    ['another URL of the site', { siteUrl: 'https://docs.example.com' }],
    ['a site without HTML', { withoutHtml: true }],
    ['another commit', { commit: 'abc' }],
    ['other findings that stop a deployment', { failOn: 'none' }],
    ['an author who is not trusted', { isTrusted: false }],
  ])('%s makes a build necessary', (_, changed) => {
    save()
    expect(open(changed).find()).toBeUndefined()
  })

  test('each output folder has its own last build', () => {
    save()
    const other = { output: join(root, 'other') }
    expect(open(other).find()).toBeUndefined()
    write('other/.octavo-build.json', '{}')
    open(other).save({ ...RESULT, pageCount: 50 }, BUILT)
    expect(open(other).find()?.pageCount).toBe(50)
    expect(open().find()?.pageCount).toBe(5)
  })

  const isReliable = () => false
  test('a result is not stored if a file of unknown content may keep its stamp', () => {
    open().save(RESULT, { ...BUILT, state: { isReliable, recentHash: () => undefined } })
    expect(open().find()).toBeUndefined()
  })

  test('a text that may keep its stamp is compared by its content', () => {
    const texts: Readonly<Record<string, string>> = {
      'docs.json': '{}',
      'guides/start.mdx': 'Start',
    }
    const saveTexts = (changed: object) => {
      const all: Readonly<Record<string, string>> = { ...texts, ...changed }
      const recentHash = (path: string) => hashBytes(all[path] ?? '')
      open().save(RESULT, { ...BUILT, state: { isReliable, recentHash } })
    }
    saveTexts({})
    expect(open().find()).toEqual(FOUND)
    saveTexts({ 'guides/start.mdx': 'Other' })
    expect(open().find()).toBeUndefined()
  })

  test('a site that could not be loaded is loaded again', () => {
    open().save({ ...RESULT, isLoaded: false }, BUILT)
    expect(open().find()).toBeUndefined()
  })

  test('a page that could not be compiled in time is compiled again', () => {
    open().save({ ...RESULT, hasFailedPages: true }, BUILT)
    expect(open().find()).toBeUndefined()
  })

  test('a commit makes a build necessary only if the site shows dates', () => {
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'a')
    save()
    git('commit', '-q', '--allow-empty', '-m', 'b')
    expect(open().find()).toEqual(FOUND)
    save({ repository: false, history: true })
    expect(open().find()).toEqual(FOUND)
    git('commit', '-q', '--allow-empty', '-m', 'c')
    expect(open().find()).toBeUndefined()
  })

  test('another Git remote makes a build necessary only if the site links to it', () => {
    git('init', '-q')
    git('remote', 'add', 'origin', 'https://github.com/acme/docs.git')
    save()
    git('remote', 'set-url', 'origin', 'https://github.com/acme/other.git')
    expect(open().find()).toEqual(FOUND)
    save({ repository: true, history: false })
    expect(open().find()).toEqual(FOUND)
    git('remote', 'set-url', 'origin', 'https://github.com/acme/docs.git')
    expect(open().find()).toBeUndefined()
  })
})
