import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readFolder } from '@octavo/builder'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openTrialGit } from '../../../testing/trial-git.ts'
import { detectIsolation, PLAIN_ISOLATION } from '../sandbox/isolation.ts'

const trial = await openTrialGit()
const { server, newRepository, checkOut } = trial
const { signal } = new AbortController()
const anyone = (url: string) => ({ url, credential: { kind: 'none' } }) as const

afterEach(() => {
  server.intercept = () => false
  server.settings = { 'uploadpack.allowFilter': 'true' }
})
afterAll(() => trial.close())

const objectsOf = (clone: string) =>
  execFileSync('git', ['--git-dir', clone, 'cat-file', '--batch-all-objects', '--batch-check'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

test('bubblewrap is detected on this machine', async () => {
  expect((await detectIsolation()).kind).toBe('bubblewrap')
  expect(trial.git.isolation).toBe('bubblewrap')
})

test('Git works in plain processes and reports them as its isolation', async () => {
  const plain = await openTrialGit({ isolation: PLAIN_ISOLATION })
  try {
    expect(plain.git.isolation).toBe('plain processes with limits')
    const repository = plain.newRepository()
    const commit = repository.commit({ 'docs/a.mdx': 'a' })
    const { outcome, files } = await plain.checkOut(repository, commit, { folder: 'docs' })
    expect(outcome).toMatchObject({ kind: 'checkout', fileCount: 1 })
    expect(files).toEqual(['a.mdx'])
    const far = { ...anyone('http://169.254.169.254/a.git'), cacheKey: 'far' }
    expect(await plain.git.listRefs(far, signal)).toMatchObject({ code: 'refused' })
  } finally {
    plain.close()
  }
})

describe('finding files', () => {
  test.each([
    ['filters', { 'uploadpack.allowFilter': 'true' }],
    ['no filters', {}],
  ])(
    'files are found by name on a Git server with %s, and no clone remains',
    async (_, settings) => {
      server.settings = settings
      const repository = newRepository()
      repository.commit({ 'docs.json': 'old' })
      const commit = repository.commit({ 'a/docs.json': '{}', 'a/b.mdx': 'b', 'docs.json/c': 'c' })
      const kept = readdirSync(join(trial.folder, 'caches'))
      const options = { ref: 'refs/heads/main', commit, names: ['docs.json'] }
      const found = await trial.git.findFiles(
        { remote: anyone(repository.url), ...options },
        signal,
      )
      expect(found).toEqual({ kind: 'files', paths: ['a/docs.json'] })
      expect(readdirSync(join(trial.folder, 'caches'))).toEqual(kept)
    },
  )

  test('finding files fails if the branch was deleted meanwhile', async () => {
    const repository = newRepository()
    const commit = repository.commit({ 'docs.json': '{}' })
    const options = { ref: 'refs/heads/gone', commit, names: ['docs.json'] }
    expect(
      await trial.git.findFiles({ remote: anyone(repository.url), ...options }, signal),
    ).toMatchObject({ code: 'no-such-ref' })
  })
})

describe('the cached clone', () => {
  test('the cached clone has file contents only for the requested folder and commit', async () => {
    const repository = newRepository()
    repository.commit({ 'docs/a': 'old', large: 'x'.repeat(100_000) })
    const commit = repository.commit({ 'docs/a': 'new', large: 'x'.repeat(100_000) })
    await checkOut(repository, commit, { folder: 'docs' })
    const objects = objectsOf(repository.clone)
    expect(objects).toContain(repository.git(['rev-parse', `${commit}:docs/a`]))
    expect(objects).toContain(repository.git(['rev-parse', `${commit}~`]))
    expect(objects).not.toContain(repository.git(['rev-parse', `${commit}~:docs/a`]))
    expect(objects).not.toContain(repository.git(['rev-parse', `${commit}:large`]))
  })

  test('the cached clone has all file contents if the server does not support filters', async () => {
    server.settings = {}
    const repository = newRepository()
    const commit = repository.commit({ 'docs/a': 'a', other: 'b' })
    const { outcome } = await checkOut(repository, commit, { folder: 'docs' })
    expect(outcome.kind).toBe('checkout')
    expect(objectsOf(repository.clone)).toContain(repository.git(['rev-parse', `${commit}:other`]))
  })

  test('the cached clone has all file contents if the server does not serve single objects', async () => {
    // Protocol version 1 supports filters but serves no object except branch tips.
    server.intercept = (request) => {
      request.headers['git-protocol'] = ''
      return false
    }
    const repository = newRepository()
    const commit = repository.commit({ 'docs/a': 'a', other: 'b' })
    const { outcome } = await checkOut(repository, commit, { folder: 'docs' })
    expect(outcome.kind).toBe('checkout')
    expect(objectsOf(repository.clone)).toContain(repository.git(['rev-parse', `${commit}:other`]))
  })

  test('a new commit can be checked out from the cached clone and compared with an earlier one', async () => {
    const repository = newRepository()
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`page-${index}.mdx`, `Page ${index}`]),
    )
    const first = repository.commit(files)
    await checkOut(repository, first)
    const second = repository.commit({ ...files, 'page-7.mdx': 'Edited' })
    const { outcome, read } = await checkOut(repository, second)
    expect(outcome).toMatchObject({ kind: 'checkout', fileCount: 50 })
    expect(read('page-7.mdx')).toBe('Edited')
    expect(await trial.git.changedPaths(repository.cacheKey, first, second)).toEqual(['page-7.mdx'])
  })

  test('a clone with damaged pack files is cloned again', async () => {
    const repository = newRepository()
    const commit = repository.commit({ a: 'a'.repeat(1_000), b: 'b' })
    await checkOut(repository, commit)
    const packs = join(repository.clone, 'objects', 'pack')
    for (const name of readdirSync(packs)) truncateSync(join(packs, name), 20)
    writeFileSync(join(packs, 'tmp_pack_abc'), 'x')
    const { outcome, files } = await checkOut(repository, commit)
    expect(outcome.kind).toBe('checkout')
    expect(files).toEqual(['a', 'b'])
    expect(existsSync(join(packs, 'tmp_pack_abc'))).toBe(false)
  })

  test('a clone with damaged file contents is cloned again', async () => {
    const repository = newRepository()
    const commit = repository.commit({ a: 'first', b: 'b'.repeat(100) })
    await checkOut(repository, commit)
    const packs = join(repository.clone, 'objects', 'pack')
    const blob = repository.git(['rev-parse', `${commit}:b`])
    const index = readdirSync(packs).find(
      (name) =>
        name.endsWith('.idx') &&
        repository.git(['show-index'], readFileSync(join(packs, name))).includes(blob),
    )
    const pack = join(packs, (index ?? '').replace('.idx', '.pack'))
    const bytes = readFileSync(pack)
    chmodSync(pack, 0o644)
    writeFileSync(pack, bytes.fill(0, 40, bytes.length - 20))
    const { outcome, read } = await checkOut(repository, commit)
    expect(outcome.kind).toBe('checkout')
    expect(read('b')).toBe('b'.repeat(100))
  })

  test('a clone whose fetch was interrupted is reused', async () => {
    const repository = newRepository()
    const commit = repository.commit({ a: '1' })
    const abort = new AbortController()
    server.intercept = (request) => {
      if (request.method === 'POST') setTimeout(() => abort.abort(), 50)
      return request.method === 'POST'
    }
    const into = join(trial.folder, 'interrupted')
    const input = {
      cacheKey: repository.cacheKey,
      ref: 'refs/heads/main',
      commit,
      folder: '',
      into,
    }
    const running = trial.git.checkout({ ...input, remote: anyone(repository.url) }, abort.signal)
    await expect(running).rejects.toThrow('aborted')
    expect(existsSync(into)).toBe(false)
    server.intercept = () => false
    mkdirSync(join(repository.clone, 'refs', 'octavo'), { recursive: true })
    writeFileSync(join(repository.clone, 'refs', 'octavo', 'x.lock'), '')
    writeFileSync(join(repository.clone, 'packed-refs.lock'), '')
    expect((await checkOut(repository, commit)).outcome.kind).toBe('checkout')
  })

  test('concurrent checkouts of one clone run one at a time', async () => {
    const repository = newRepository()
    const commits = [1, 2, 3].map((number) => repository.commit({ a: String(number) }))
    const results = await Promise.all(commits.map((commit) => checkOut(repository, commit)))
    expect(results.map(({ read }) => read('a'))).toEqual(['1', '2', '3'])
  })

  test('removing the cache deletes the clone from disk', async () => {
    const repository = newRepository()
    const commit = repository.commit({ a: '1' })
    await checkOut(repository, commit)
    await trial.git.removeCache(repository.cacheKey)
    expect(existsSync(repository.clone)).toBe(false)
    expect(await trial.git.changedPaths(repository.cacheKey, commit, commit)).toBeUndefined()
  })
})

describe('branches and commits', () => {
  test('a commit that a force push replaced is not found', async () => {
    const repository = newRepository()
    const first = repository.commit({ a: '1' })
    const replaced = repository.commit({ a: '2' })
    const next = repository.commit({ a: '3' }, { isOrphan: true })
    for (const commit of [first, replaced]) {
      const { outcome } = await checkOut(repository, commit)
      expect(outcome).toMatchObject({ kind: 'failed', code: 'no-such-ref', isFinal: true })
    }
    expect((await checkOut(repository, next)).outcome.kind).toBe('checkout')
    const again = await checkOut(repository, first)
    expect(again.outcome).toMatchObject({ code: 'no-such-ref' })
  })

  test('a commit older than the newest can be checked out', async () => {
    const repository = newRepository()
    const first = repository.commit({ a: '1' })
    repository.commit({ a: '2' })
    expect((await checkOut(repository, first)).read('a')).toBe('1')
  })

  test('a commit of a deleted branch is not found', async () => {
    const repository = newRepository()
    repository.commit({ a: '1' })
    const commit = repository.commit({ a: '2' }, { branch: 'topic' })
    const input = { ref: 'refs/heads/topic' }
    expect((await checkOut(repository, commit, input)).outcome.kind).toBe('checkout')
    repository.git(['update-ref', '-d', 'refs/heads/topic'])
    const { outcome } = await checkOut(repository, commit, input)
    expect(outcome).toMatchObject({ code: 'no-such-ref', isFinal: true })
  })

  test('a pull request can be checked out by its ref', async () => {
    const repository = newRepository()
    repository.commit({ a: '1' })
    const commit = repository.commit({ a: 'from a fork' }, { branch: 'fork' })
    repository.git(['update-ref', 'refs/pull/7/head', commit])
    repository.git(['update-ref', '-d', 'refs/heads/fork'])
    const { read } = await checkOut(repository, commit, { ref: 'refs/pull/7/head' })
    expect(read('a')).toBe('from a fork')
  })

  test('the default branch is the one that the server currently reports', async () => {
    const repository = newRepository()
    const commit = repository.commit({ a: '1' })
    repository.git(['branch', '-m', 'main', 'trunk'])
    repository.git(['symbolic-ref', 'HEAD', 'refs/heads/trunk'])
    expect(await trial.git.listRefs(anyone(repository.url), signal)).toMatchObject({
      defaultBranch: 'trunk',
      branches: new Map([['trunk', commit]]),
    })
  })

  test('an empty repository is reported as empty', async () => {
    const { url } = newRepository()
    expect(await trial.git.listRefs(anyone(url), signal)).toMatchObject({ code: 'empty' })
  })

  test.each(['refs/heads/../x', '--upload-pack=x', 'refs/heads/a:b', 'main'])(
    'a checkout of the invalid ref %s fails',
    async (ref) => {
      const { outcome } = await checkOut(newRepository(), 'a'.repeat(40), { ref })
      expect(outcome).toMatchObject({ code: 'no-such-ref' })
    },
  )

  test.each(['missing', 'a', '../x', '/etc', 'a//b', 'docs/..'])(
    'a checkout of %s, which is not a folder, fails',
    async (folder) => {
      const repository = newRepository()
      const commit = repository.commit({ a: '1' })
      const { outcome, into } = await checkOut(repository, commit, { folder })
      expect(outcome).toMatchObject({ code: 'no-such-folder' })
      expect(existsSync(into)).toBe(false)
    },
  )
})

test('a checkout into an existing folder is rejected', async () => {
  const repository = newRepository()
  const commit = repository.commit({ a: '1' })
  const into = join(trial.folder, 'existing')
  mkdirSync(into)
  await expect(checkOut(repository, commit, { into })).rejects.toThrow('must not exist')
  expect(existsSync(into)).toBe(true)
})

describe('last-changed dates', () => {
  test.each(['', 'docs', 'docs/[a] b'])(
    'the last-changed dates in the folder "%s" equal those that the builder finds in a clone',
    async (folder) => {
      const repository = newRepository()
      const base = repository.commit({ 'docs/a.mdx': '1', 'docs/[a] b/ö.mdx': '1', c: '1' })
      const left = repository.commit({ 'docs/a.mdx': '2', 'docs/[a] b/ö.mdx': '1', c: '1' })
      const right = repository.commit(
        { 'docs/a.mdx': '1', 'docs/[a] b/ö.mdx': '2', c: '1' },
        { branch: 'side', parents: [base] },
      )
      repository.commit(
        { 'docs/a.mdx': '2', 'docs/[a] b/ö.mdx': '2', c: '1' },
        { parents: [left, right] },
      )
      const commit = repository.commit({
        'docs/a.mdx': '2',
        'docs/[a] b/ö.mdx': '2',
        'docs/[a] b/moved.mdx': '1',
      })
      const normal = join(trial.folder, `normal-${folder.length}`)
      execFileSync('git', ['clone', '--quiet', repository.path, normal])
      const tree = readFolder(join(normal, folder))
      const { outcome, files } = await checkOut(repository, commit, { folder })
      expect(files.length).toBeGreaterThan(0)
      if (outcome.kind !== 'checkout') throw new Error(outcome.message)
      for (const path of files) expect(outcome.changedAt.get(path)).toBe(tree.changedAt(path))
      expect(outcome.changedAt.size).toBe(files.length)
    },
  )
})
