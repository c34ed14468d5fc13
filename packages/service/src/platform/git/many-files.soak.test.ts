import { afterAll, expect, test } from 'vitest'
import { openTrialGit } from '../../../testing/trial-git.ts'

const trial = await openTrialGit()
afterAll(() => trial.close())

/**
 * Commits files with `git fast-import`, because creating the objects one by one would take minutes.
 */
function commitFiles({ git }: ReturnType<typeof trial.newRepository>, count: number): string {
  const head = 'committer A <a@example.com> 1700000000 +0000\ndata 0\n'
  const files = Array.from({ length: count }, (_, index) => {
    const text = `Page ${index}`
    return `M 644 inline ${index % 300}/page-${index}.mdx\ndata ${text.length}\n${text}\n`
  })
  git(['fast-import', '--quiet', '--force'], `commit refs/heads/main\n${head}${files.join('')}`)
  return git(['rev-parse', 'refs/heads/main'])
}

test('100,000 files are checked out, and 100,001 are rejected', { timeout: 600_000 }, async () => {
  const most = trial.newRepository()
  const commit = commitFiles(most, 100_000)
  const started = performance.now()
  const { outcome, read } = await trial.checkOut(most, commit)
  const seconds = (performance.now() - started) / 1_000
  expect(outcome).toMatchObject({ kind: 'checkout', fileCount: 100_000, notes: [] })
  expect(read('7/page-7.mdx')).toBe('Page 7')
  if (outcome.kind === 'checkout') expect(outcome.changedAt.size).toBe(100_000)
  console.log(`100,000 files in ${seconds.toFixed(1)} s`)
  const tooMany = trial.newRepository()
  const refused = await trial.checkOut(tooMany, commitFiles(tooMany, 100_001))
  expect(refused.outcome).toMatchObject({ kind: 'failed', code: 'too-many-files' })
})
