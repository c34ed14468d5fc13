import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runIn, writeFiles } from '../../testing/run-in.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-migrate-site-'))
  writeFiles(root, { 'old/mkdocs.yml': 'site_name: Plants\n', 'old/docs/index.md': '# Pots\n' })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const migrate = (...args: readonly string[]) => runIn(root, ['migrate', ...args])

test('octavo migrate -o writes a site and its report, and changes nothing the second time', async () => {
  const first = await migrate('old', '-o', 'new')
  expect(first.code).toBe(0)
  expect(first.out).toContain('✓ 1 page was written to new.')
  expect(readFileSync(join(root, 'new/.migration/report.txt'), 'utf8')).toContain('MkDocs')
  const second = await migrate('old', '-o', 'new')
  expect(second.out).toContain('✓ 0 created, 0 updated, 0 removed, 2 unchanged.')
})

test.each(['{"index.mdx":', '[]', '{"index.mdx":{}}', '7'])(
  'octavo migrate -o says that the state %s of the last run is damaged, and replaces no file',
  async (state) => {
    await migrate('old', '-o', 'new')
    writeFiles(root, {
      'new/.migration/files.json': state,
      'new/index.mdx': 'Mine.\n',
    })
    const { code, out } = await migrate('old', '-o', 'new')
    expect(code).toBe(0)
    expect(out).toContain('.migration/files.json is damaged')
    expect(readFileSync(join(root, 'new/index.mdx'), 'utf8')).toBe('Mine.\n')
    expect(existsSync(join(root, 'new/.migration/new/index.mdx'))).toBe(true)
    expect((await migrate('old', '-o', 'new')).out).not.toContain('is damaged')
  },
)

test('octavo migrate -o reads a configuration in TypeScript', async () => {
  writeFiles(root, {
    'site/docusaurus.config.ts':
      "import type { Config } from '@docusaurus/types'\nconst config: Config = { title: 'Pots' }\nexport default config satisfies Config\n",
    'site/docs/index.md': '# Pots\n',
  })
  expect((await migrate('site', '-o', 'new')).out).toContain('This site was built with Docusaurus.')
  expect(JSON.parse(readFileSync(join(root, 'new/docs.json'), 'utf8')).name).toBe('Pots')
})

test('octavo migrate -o writes nothing with --dry-run', async () => {
  expect((await migrate('old', '-o', 'new', '--dry-run')).out).toContain('Nothing was written.')
  expect(existsSync(join(root, 'new'))).toBe(false)
})

test.each([
  ['a folder with other files', ['old', '-o', 'old/docs'], 'is not empty'],
  ['a folder that contains the old site', ['old', '-o', '.'], 'must not contain the old site'],
  ['a folder without a site', ['old/docs', '-o', 'new'], 'no site was found'],
])('octavo migrate -o rejects %s', async (_, args, reason) => {
  const { code, err } = await migrate(...args)
  expect(code).toBe(2)
  expect(err).toContain(reason)
})
