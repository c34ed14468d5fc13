import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'

const CONFIG = { name: 'Garden', navigation: { pages: ['index', 'new', 'own', 'off'] } }
const page = (fields: string) => `---\ntitle: Page\n${fields}---\n\nText.\n`

function commit(folder: string, date: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    })
  git('init')
  git('add', '-A')
  git('commit', '-m', 'Change')
}

const modified = (site: TemporarySite, path: string) =>
  /class="oct-modified">.*?<time datetime="([^"]+)"/.exec(site.read(path))?.[1]

test('`metadata.timestamp` shows when a page was last changed', async () => {
  using site = new TemporarySite({
    'docs.json': JSON.stringify({ ...CONFIG, metadata: { timestamp: true } }),
    'index.mdx': page(''),
    'own.mdx': page('lastUpdatedDate: "2020-02-02"\n'),
    'off.mdx': page('timestamp: false\n'),
  })
  commit(site.folder, '2026-03-01T23:30:00-05:00')
  site.write({ 'new.mdx': page('') })
  commit(site.folder, '2026-04-05T12:00:00Z')
  const { diagnostics } = await site.build()
  expect(diagnostics.filter(({ severity }) => severity !== 'note')).toEqual([])
  expect(modified(site, 'index.html')).toBe('2026-03-02')
  expect(modified(site, 'new/index.html')).toBe('2026-04-05')
  expect(modified(site, 'own/index.html')).toBe('2020-02-02')
  expect(modified(site, 'off/index.html')).toBeUndefined()
  // The page must be written again because its date has changed.
  site.write({ 'index.mdx': `${page('')}More.\n` })
  commit(site.folder, '2026-05-06T12:00:00Z')
  await site.build()
  expect(modified(site, 'index.html')).toBe('2026-05-06')
})

test('a site without a Git history has a diagnostic that dates cannot be shown', async () => {
  using site = new TemporarySite({
    'docs.json': JSON.stringify({ ...CONFIG, metadata: { timestamp: true } }),
    ...Object.fromEntries(CONFIG.navigation.pages.map((name) => [`${name}.mdx`, page('')])),
  })
  const { diagnostics } = await site.build()
  expect(diagnostics.map(({ code }) => code)).toContain('value/no-effect')
  expect(modified(site, 'index.html')).toBeUndefined()
})

test('`feedback` adds links to the repository for edits and issues', async () => {
  using site = new TemporarySite({
    'docs.json': JSON.stringify({ ...CONFIG, feedback: { suggestEdit: true, issues: true } }),
    ...Object.fromEntries(CONFIG.navigation.pages.map((name) => [`${name}.mdx`, page('')])),
  })
  const { diagnostics } = await site.build()
  const reported = diagnostics.filter(({ code }) => code === 'value/no-effect')
  expect(reported.map(({ message }) => message.split(' ')[0])).toEqual([
    '`feedback.suggestEdit`',
    '`feedback.issues`',
  ])
  expect(site.read('new/index.html')).not.toContain('oct-modified')
  commit(site.folder, '2026-04-05T12:00:00Z')
  const git = ['remote', 'add', 'origin', 'https://me:token@github.com/acme/garden.git']
  execFileSync('git', git, { cwd: site.folder })
  await site.build()
  const html = site.read('new/index.html')
  expect(html).toMatch(
    /<a href="https:\/\/github\.com\/acme\/garden\/edit\/[\w-]+\/new\.mdx" target="_blank" rel="noopener">Suggest an edit<\/a>/,
  )
  expect(html).toContain('href="https://github.com/acme/garden/issues/new?title=')
  expect(html).not.toContain('token@')
})
