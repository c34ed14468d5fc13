import { afterAll, expect, test } from 'vitest'
import { openTrialGit } from '../../../testing/trial-git.ts'

const trial = await openTrialGit()
afterAll(() => trial.close())

test('a checkout contains the files of the folder as they were committed', async () => {
  const repository = trial.newRepository()
  const commit = repository.commit(
    { 'docs/docs.json': '{}', 'docs/a/page.mdx': 'Hällo\r\n', 'other.txt': 'no' },
    { message: 'Add pages\n\nMore about it.', at: 1_800_000_000 },
  )
  const { outcome, files, read } = await trial.checkOut(repository, commit, { folder: 'docs' })
  expect(outcome).toEqual({
    kind: 'checkout',
    commit,
    author: 'Ada Lovelace',
    message: 'Add pages\n\nMore about it.',
    fileCount: 2,
    notes: [],
    changedAt: new Map([
      ['docs.json', '2027-01-15T08:00:00.000Z'],
      ['a/page.mdx', '2027-01-15T08:00:00.000Z'],
    ]),
  })
  expect(files).toEqual(['a/page.mdx', 'docs.json'])
  expect(read('a/page.mdx')).toBe('Hällo\r\n')
})

test('listed refs include all branches and the default branch', async () => {
  const repository = trial.newRepository()
  const main = repository.commit({ a: '1' })
  const other = repository.commit({ a: '2' }, { branch: 'feature/grün' })
  const remote = { url: repository.url, credential: { kind: 'none' } } as const
  expect(await trial.git.listRefs(remote, new AbortController().signal)).toEqual({
    kind: 'refs',
    defaultBranch: 'main',
    branches: new Map([
      ['feature/grün', other],
      ['main', main],
    ]),
  })
})
