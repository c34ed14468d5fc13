import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openTrialGit, type ServedRepository } from '../../../testing/trial-git.ts'

const trial = await openTrialGit({
  limits: {
    fileBytesMax: 1_000_000,
    checkoutBytesMax: 3_000_000,
    cloneBytesMax: 5_000_000,
    filesMax: 2_000,
  },
})
const { newRepository, checkOut } = trial
const canary = join(trial.folder, 'canary')
writeFileSync(canary, 'secret')
afterAll(() => trial.close())

/** Commits a tree with entry names that Git itself would not write. */
function commitEntries(repository: ServedRepository, names: readonly (string | Buffer)[]): string {
  const blob = repository.git(['hash-object', '-w', '--stdin'], 'hostile')
  const entries = names.map((name) =>
    Buffer.concat([
      Buffer.from('100644 '),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(blob, 'hex'),
    ]),
  )
  const tree = repository.git(
    ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'],
    Buffer.concat(entries),
  )
  return commitTree(repository, tree)
}

function commitTree(
  repository: ServedRepository,
  tree: string,
  { at = '1700000000', message = 'x' } = {},
): string {
  const text = `tree ${tree}\nauthor A <a@b> ${at} +0000\ncommitter A <a@b> ${at} +0000\n\n${message}\n`
  const commit = repository.git(
    ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
    text,
  )
  repository.git(['update-ref', 'refs/heads/main', commit])
  return commit
}

describe('entries that a checkout skips with a note', () => {
  test('symbolic links are skipped, including those that lead out of the tree', async () => {
    const repository = newRepository()
    const commit = repository.commit({
      'page.mdx': 'page',
      inside: { mode: '120000', content: 'page.mdx' },
      outside: { mode: '120000', content: canary },
      folder: { mode: '120000', content: '/etc' },
    })
    const { outcome, files } = await checkOut(repository, commit)
    expect(files).toEqual(['page.mdx'])
    expect(outcome).toMatchObject({
      fileCount: 1,
      notes: ['folder', 'inside', 'outside'].map(
        (name) => `"${name}" was skipped: symbolic links are not followed.`,
      ),
    })
  })

  test('submodules are skipped and not fetched', async () => {
    const repository = newRepository()
    const commit = repository.commit({
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${canary}-ran"\n`,
      'page.mdx': 'page',
      x: { mode: '160000', content: 'a'.repeat(40) },
    })
    const { outcome, files } = await checkOut(repository, commit)
    expect(files).toEqual(['.gitmodules', 'page.mdx'])
    expect(outcome).toMatchObject({ notes: ['"x" was skipped: submodules are not fetched.'] })
    expect(existsSync(`${canary}-ran`)).toBe(false)
  })

  test('if paths differ only in case, all but the first in byte order are skipped', async () => {
    const repository = newRepository()
    const commit = repository.commit({
      'Guide.mdx': 'upper',
      'guide.mdx': 'lower',
      'a/B/c.mdx': '1',
      'A/b/C.mdx': '2',
      Docs: 'a file',
      'docs/page.mdx': 'a folder',
      'x/y.mdx': 'a folder',
      X: 'a file',
    })
    const { outcome, files, read } = await checkOut(repository, commit)
    expect(files).toEqual(['A/b/C.mdx', 'Docs', 'Guide.mdx', 'X'])
    expect(read('Guide.mdx')).toBe('upper')
    expect(outcome).toMatchObject({
      notes: [
        '"a/B/c.mdx" was skipped: its name differs from "A/b/C.mdx" only in upper and lower case.',
        '"docs/page.mdx" was skipped: its name differs from "Docs" only in upper and lower case.',
        '"guide.mdx" was skipped: its name differs from "Guide.mdx" only in upper and lower case.',
        '"x/y.mdx" was skipped: its name differs from "X" only in upper and lower case.',
      ],
    })
  })

  test('files with dangerous names are skipped', async () => {
    const names: readonly (readonly [string | Buffer, string])[] = [
      ['..', 'its path is not valid'],
      ['.', 'its path is not valid'],
      ['../../escape', 'its path is not valid'],
      ['/etc/passwd', 'its path is not valid'],
      ['a//b', 'its path is not valid'],
      ['.git', 'its path is reserved for Git'],
      ['.git/config', 'its path is reserved for Git'],
      ['a/.GIT/hooks/post-checkout', 'its path is reserved for Git'],
      ['git~1', 'its path is reserved for Git'],
      ['.git ', 'its path is reserved for Git'],
      ['.g\u200cit', 'its path is reserved for Git'],
      ['.gi\u202et', 'its path is reserved for Git'],
      ['\u206a.git', 'its path is reserved for Git'],
      ['a\nb', 'its name has control characters'],
      ['a\u001b[31m', 'its name has control characters'],
      ['..\\..\\escape', 'its name has a backslash'],
      ['a'.repeat(256), 'its name is too long'],
      [`${'a/'.repeat(500)}a`, 'its path is too long'],
      [Buffer.from([0x61, 0xff]), 'its name is not UTF-8'],
    ]
    const repository = newRepository()
    const commit = commitEntries(repository, [...names.map(([name]) => name), 'zz.mdx'])
    const { outcome, files } = await checkOut(repository, commit)
    expect(files).toEqual(['zz.mdx'])
    expect(outcome).toMatchObject({
      notes: names.map(([, reason]) => expect.stringContaining(reason)),
    })
    expect(JSON.stringify(outcome)).not.toContain('u001b')
  })
})

describe('files written as committed', () => {
  test('files with very long names or names that look like options are written', async () => {
    const repository = newRepository()
    const names = [
      '--upload-pack=touch x',
      '-rf',
      'a'.repeat(255),
      'grün 日本.mdx',
      '*.mdx',
      '$(id)',
    ]
    const commit = repository.commit(Object.fromEntries(names.map((name) => [name, name])))
    const { outcome, files } = await checkOut(repository, commit)
    expect(outcome).toMatchObject({ kind: 'checkout', notes: [] })
    expect(files).toEqual([...names].sort())
  })

  test('files are written byte for byte, regardless of Git attributes', async () => {
    const repository = newRepository()
    const id = '$Id$ $Format:%H$\r\n'
    const commit = repository.commit({
      '.gitattributes': [
        '*.filter filter=evil diff=evil merge=evil',
        '*.lfs filter=lfs',
        '*.ident ident',
        '*.crlf text eol=crlf',
        '*.lf text eol=lf',
        '*.utf16 text working-tree-encoding=UTF-16',
        '*.ignored export-ignore',
        '*.subst export-subst',
        '',
      ].join('\n'),
      'a.filter': id,
      'a.lfs': id,
      'a.ident': id,
      'a.crlf': 'one\ntwo\n',
      'a.lf': 'one\r\ntwo\r\n',
      'a.utf16': 'text',
      'a.ignored': id,
      'a.subst': id,
      'run.sh': { mode: '100755', content: '#!/bin/sh\n' },
      binary: Buffer.from([0, 1, 255, 10, 13, 0]),
      empty: '',
    })
    const { outcome, files, read, into } = await checkOut(repository, commit)
    expect(outcome).toMatchObject({ kind: 'checkout', fileCount: 12, notes: [] })
    for (const path of files) {
      const committed = repository.git(['rev-parse', `${commit}:${path}`])
      const written = repository.git(['hash-object', '--no-filters', join(into, path)])
      expect(written).toBe(committed)
    }
    expect(read('a.subst')).toBe(id)
    expect(lstatSync(join(into, 'run.sh')).mode & 0o111).toBe(0)
  })

  test('Git LFS pointers are written unchanged, with a note for the author', async () => {
    const repository = newRepository()
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 1\n`
    const commit = repository.commit({
      'photo.png': pointer,
      'photo\u202e.png': pointer,
      'text.md': `About ${pointer}`,
    })
    const { outcome, read } = await checkOut(repository, commit)
    expect(read('photo.png')).toBe(pointer)
    expect(outcome).toMatchObject({
      notes: [
        expect.stringContaining('"photo.png" is a Git LFS pointer'),
        expect.stringContaining('"photo\ufffd.png" is a Git LFS pointer'),
      ],
    })
  })
})

describe('checkout limits', () => {
  test('a checkout with too many files in the folder fails', async () => {
    const repository = newRepository()
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`docs/${index}`, 'x']))
    const most = repository.commit({ ...files(2_000), other: 'x' })
    const input = { folder: 'docs' }
    expect((await checkOut(repository, most, input)).outcome).toMatchObject({ fileCount: 2_000 })
    const tooMany = repository.commit(files(2_001))
    const { outcome, into } = await checkOut(repository, tooMany, input)
    expect(outcome).toMatchObject({ code: 'too-many-files', isFinal: true })
    expect(existsSync(into)).toBe(false)
  })

  test('a checkout with a file that is too large fails', async () => {
    const repository = newRepository()
    const most = repository.commit({ 'video.mp4': Buffer.alloc(1_000_000) })
    expect((await checkOut(repository, most)).outcome.kind).toBe('checkout')
    const tooLarge = repository.commit({ 'video.mp4': Buffer.alloc(1_000_001) })
    const { outcome, files } = await checkOut(repository, tooLarge)
    expect(outcome).toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('video.mp4'),
    })
    expect(files).toEqual([])
  })

  test('a checkout whose files are too large in total fails, even if files share content', async () => {
    const repository = newRepository()
    const content = Buffer.alloc(900_000)
    const commit = repository.commit({ a: content, b: content, c: content, d: content })
    expect((await checkOut(repository, commit)).outcome).toMatchObject({ code: 'too-large' })
  })

  test('a clone that is too large fails and is deleted', async () => {
    const repository = newRepository()
    const { randomBytes } = await import('node:crypto')
    const files = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [String(index), randomBytes(800_000)]),
    )
    const commit = repository.commit(files)
    const { outcome } = await checkOut(repository, commit)
    expect(outcome).toMatchObject({ code: 'too-large', isFinal: true })
    expect(existsSync(repository.clone)).toBe(false)
  })

  test('the disk usage of many small objects from a dumb HTTP server counts toward the limit', async () => {
    const small = await openTrialGit({ limits: { cloneBytesMax: 250_000 } })
    const repository = small.newRepository()
    const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [index, `${index}`]))
    const commit = repository.commit(files)
    const packs = join(repository.path, 'objects', 'pack')
    const packed = readdirSync(packs).map((name) => join(packs, name))
    const [pack = ''] = packed.filter((file) => file.endsWith('.pack'))
    const bytes = readFileSync(pack)
    for (const file of packed) rmSync(file)
    repository.git(['unpack-objects', '-q'], bytes)
    repository.git(['update-server-info'])
    small.server.intercept = ({ url = '' }, response) => {
      const file = join(repository.path, url.replace(/^.*?\.git\/|\?.*$/g, ''))
      if (existsSync(file)) response.end(readFileSync(file))
      else response.writeHead(404).end()
      return true
    }
    const { outcome } = await small.checkOut(repository, commit)
    small.close()
    expect(outcome).toMatchObject({ code: 'too-large', isFinal: true })
  })

  test.each([
    ['files', 10],
    ['no entries', 0],
  ])(
    'a tree that expands to 10^10 entries, with %s at the deepest level, is rejected',
    async (_, count) => {
      const repository = newRepository()
      let tree = writeTree(repository, '100644', count, blobOf(repository))
      for (let level = 1; level < 10; level += 1) tree = writeTree(repository, '40000', 10, tree)
      const { outcome } = await checkOut(repository, commitTree(repository, tree))
      expect(outcome).toMatchObject({ code: 'too-many-files' })
    },
  )

  test('folders count toward the limit of files, even if they share a tree', async () => {
    const repository = newRepository()
    let tree = writeTree(repository, '100644', 1, blobOf(repository))
    for (let level = 1; level < 50; level += 1) tree = writeTree(repository, '40000', 1, tree)
    const most = commitTree(repository, writeTree(repository, '40000', 40, tree))
    expect((await checkOut(repository, most)).outcome).toMatchObject({ fileCount: 40 })
    const tooMany = commitTree(repository, writeTree(repository, '40000', 41, tree))
    const { outcome } = await checkOut(repository, tooMany)
    expect(outcome).toMatchObject({ code: 'too-many-files', isFinal: true })
  })

  test('a file with a name of 50 MB is skipped within the time limit', async () => {
    const quick = await openTrialGit({ limits: { readSecondsMax: 10 } })
    const repository = quick.newRepository()
    const commit = commitEntries(repository, ['a', 'n'.repeat(50 * 1024 ** 2)])
    const { outcome } = await quick.checkOut(repository, commit)
    quick.close()
    expect(outcome).toMatchObject({
      fileCount: 1,
      notes: [expect.stringContaining('its path is too long')],
    })
  })

  test.each([
    ['a time that no date can represent', { at: '99999999999999999999' }],
    ['a time after the last valid date', { at: '8640000000001' }],
    ['a year of five digits', { at: '253402300800' }],
    ['a message of 11 MB', { message: 'm'.repeat(11_000_000) }],
  ])('a commit with %s can be checked out', async (_, input) => {
    const repository = newRepository()
    const tree = writeTree(repository, '100644', 1, blobOf(repository))
    const { outcome } = await checkOut(repository, commitTree(repository, tree, input))
    if (outcome.kind === 'failed') throw new Error(outcome.message)
    expect(outcome.message.length).toBeLessThanOrEqual(1_000)
    expect([...outcome.changedAt.keys()]).toEqual('at' in input ? [] : ['d0'])
  })

  test('a file in very deeply nested folders is skipped', async () => {
    const repository = newRepository()
    const commit = repository.commit({ [`${'d/'.repeat(600)}a`]: 'x', b: 'x' })
    const { outcome } = await checkOut(repository, commit)
    expect(outcome).toMatchObject({ kind: 'checkout', fileCount: 1 })
  })
})

const blobOf = (repository: ServedRepository) =>
  repository.git(['hash-object', '-w', '--stdin'], 'x')

/** Writes a tree with `count` entries that all refer to the same child. */
function writeTree(repository: ServedRepository, mode: string, count: number, child: string) {
  const entries = Array.from({ length: count }, (_, index) =>
    Buffer.concat([Buffer.from(`${mode} d${index}\0`), Buffer.from(child, 'hex')]),
  )
  return repository.git(
    ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'],
    Buffer.concat(entries),
  )
}
