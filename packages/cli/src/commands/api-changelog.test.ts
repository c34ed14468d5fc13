import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeFiles } from '../../testing/run-in.ts'
import { run } from '../run.ts'

const NOW = Date.UTC(2026, 10, 14)

const api = (
  parameter = '',
  { version = '1.0.0', path = '/plants', more = '' } = {},
) => `openapi: 3.1.0
info: {title: Plants, version: '${version}'}
servers: [{url: https://api.example.com}]
paths:
  ${path}:
    get:
      summary: List
      description: Lists all of them.
      parameters: [${parameter}]
      ${more}
      responses: {'200': {description: All}}
`
const parameter = (name: string) =>
  `{name: ${JSON.stringify(name)}, in: query, required: true, schema: {type: string}}`
const STAFF = { path: '/secrets', more: 'x-mint: {metadata: {groups: [staff]}}' }
const SITE = {
  'docs.json': JSON.stringify({
    name: 'Plants',
    colors: { primary: '#0D9373' },
    navigation: {
      groups: [
        { group: 'Start', pages: ['index', 'api-changelog'] },
        { group: 'API', openapi: 'openapi.yaml' },
        { group: 'Internal', openapi: 'internal.yaml' },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Welcome\ndescription: Plants and more.\n---\n\nWelcome.\n',
  'openapi.yaml': api(),
  'internal.yaml': api('', STAFF),
}

let root = ''
const page = (name = 'api-changelog') => readFileSync(join(root, 'new', `${name}.mdx`), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(root, 'new', file), text)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-changelog-'))
  for (const folder of ['old', 'new']) writeFiles(join(root, folder), SITE)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function octavo(...args: readonly string[]) {
  let [out, err] = ['', '']
  const code = await run({
    args,
    cwd: root,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    clock: { now: () => NOW, sleep: async () => {} },
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}
const changelog = (...args: readonly string[]) => octavo('api', 'changelog', 'old', 'new', ...args)

describe('octavo api changelog', () => {
  test('the entry has the date, the version, and a sentence for each change that clients notice', async () => {
    write('openapi.yaml', api(parameter('garden'), { version: '2.0.0' }))
    expect(await changelog()).toEqual({
      code: 0,
      err: '',
      out: `<Update label="2026-11-14" description="2.0.0" tags={['Breaking']}>

**Breaking**

- \`GET /plants\`: The query parameter \`garden\` is new and required.

</Update>
`,
    })
  })

  test('--write creates the page, puts newer entries first, and writes no entry twice', async () => {
    write('openapi.yaml', api(parameter('garden')))
    expect((await changelog('--write')).out).toBe(
      '✓ api-changelog.mdx: 1 change. Review the entry and commit it.\nAdd "api-changelog" to the navigation in docs.json.\n',
    )
    expect(page()).toMatch(/^---\ntitle: API changelog\n.*rss: true\n---\n\n<Update /s)
    expect((await changelog('--write')).out).toBe('api-changelog.mdx already has this entry.\n')
    write('openapi.yaml', api(parameter('pot')))
    await changelog('--write')
    expect(page().indexOf('`pot`')).toBeLessThan(page().indexOf('`garden`'))
    expect((await octavo('check', 'new', '--all')).out).not.toContain('api-changelog.mdx')
  })

  test('changes of the documentation only are not an entry', async () => {
    write('openapi.yaml', api().replace('Lists all', 'Shows all'))
    expect((await changelog('--write')).out).toBe('No changes that clients notice.\n')
    expect(() => page()).toThrow('ENOENT')
  })

  test('a specification that not all readers of the page may read is omitted, and the reason is reported', async () => {
    write('openapi.yaml', api(parameter('garden')))
    write('internal.yaml', api(parameter('treasure'), STAFF))
    const { out, err } = await changelog()
    expect(out).toContain('garden')
    expect(out + err).not.toContain('treasure')
    expect(err).toContain('"internal.yaml" is omitted: not all readers of api-changelog.mdx')
    write('staff.mdx', '---\ntitle: Staff\ngroups: [staff]\n---\n\nFor staff.\n')
    write('docs.json', SITE['docs.json'].replace('"index"', '"index", "staff"'))
    const staff = await changelog('--write', '--out', 'staff')
    expect(staff.err).toBe('')
    expect(page('staff')).toContain('`treasure`')
  })

  test('a removed specification is omitted, since its readers are unknown', async () => {
    write('docs.json', SITE['docs.json'].replace(/,\{"group":"Internal".*?\}/, ''))
    rmSync(join(root, 'new/internal.yaml'))
    expect(await changelog()).toMatchObject({
      out: 'No changes that clients notice.\n',
      err: 'octavo: "internal.yaml" is omitted: it was removed, so its readers are unknown.\n',
    })
  })

  test.each([
    '{1 + 1}',
    '<script>x</script>',
    '`',
    '```',
    '</Update>',
    '[a](javascript:b)',
    '&lt;',
  ])('the hostile name %j stays text of a page without problems', async (name) => {
    write('openapi.yaml', api(parameter(name), { version: name }))
    await changelog('--write')
    const { out } = await octavo('check', 'new', '--all')
    expect(out).not.toMatch(/api-changelog\.mdx/)
  })

  test.each([
    [['api', 'changelog'], 'Missing argument: the version to compare with.'],
    [['api', 'changelog', 'old', 'new', 'more'], 'Unexpected argument "more".'],
    [['api', 'changelog', 'old', 'missing'], 'The folder "missing" does not exist.'],
    [['api', 'changelog', 'old/openapi.yaml', 'new'], 'is not a documentation folder.'],
    [['api', 'changelog', 'old', 'new', '--out', '../x'], 'is not below the folder.'],
  ])('octavo %j is rejected', async (args, reason) => {
    expect(await octavo(...args)).toMatchObject({ code: 2, err: expect.stringContaining(reason) })
  })
})
