import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runIn, writeFiles } from '../testing/run-in.ts'
import { pathFromRoot } from './commands/rename.ts'
import type { CommandContext } from './context/command-context.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-authoring-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (files: Readonly<Record<string, string>>) => writeFiles(root, files)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const octavo = (...args: readonly string[]) => runIn(root, args)
const octavoAsking = (ask: CommandContext['ask'], ...args: readonly string[]) =>
  runIn(root, args, ask)

describe('octavo init', () => {
  test('a new site of `octavo init` has no problems and no notes', async () => {
    const { code, out } = await octavo('init', 'site')
    expect(code).toBe(0)
    expect(out).toContain('npx octavo dev site ')
    expect((await octavo('check', 'site', '--strict', '--all')).out).toMatch(/^✓ No problems in/)
  })

  test.each(['api', 'library', 'help-center'])(
    'the template %s has no problems, a home page, the page menu, a changelog and a logo',
    async (template) => {
      await octavo('init', 'site', '--template', template, '--name', 'A & <b>')
      expect((await octavo('check', 'site', '--strict', '--all')).out).toMatch(/^✓ No problems in/)
      const config = JSON.parse(read('site/docs.json'))
      expect(config.contextual.options).toContain('copy')
      expect(read('site/index.mdx')).toContain('mode: custom')
      expect(read('site/changelog.mdx')).toContain('<Update ')
      expect(read('site/logo/light.svg')).toContain('>A &amp; &lt;b></text>')
    },
  )

  test('an unknown template is rejected with the names of the known ones', async () => {
    const { code, err } = await octavo('init', 'site', '--template', 'blog')
    expect(code).toBe(2)
    expect(err).toContain('Invalid --template "blog": expected api, library, help-center.')
    expect(readdirSync(root)).toEqual([])
  })

  test("`octavo init` takes the site's name from --name, the prompt or the folder", async () => {
    const nameOf = (path: string) => JSON.parse(read(`${path}/docs.json`)).name
    await octavo('init', 'a', '--name', 'Quo"tes $& <b>')
    await octavo('init', 'my-handbook')
    await octavo('init', 'acme_api/docs')
    expect(['a', 'my-handbook', 'acme_api/docs'].map(nameOf)).toEqual([
      'Quo"tes $& <b>',
      'My handbook',
      'Acme api',
    ])
    const questions: string[] = []
    const answer = (text: string) => async (question: string) => {
      questions.push(question)
      return text
    }
    await octavoAsking(answer('  Typed '), 'init', 'b')
    await octavoAsking(answer(''), 'init', 'c')
    await octavoAsking(answer('Unasked'), 'init', 'd', '--yes')
    expect(['b', 'c', 'd'].map(nameOf)).toEqual(['Typed', 'C', 'D'])
    expect(questions).toEqual(['Name of the site (B): ', 'Name of the site (C): '])
  })

  test('`octavo init` writes a .gitignore for dependencies, output and cache, but keeps an existing one', async () => {
    expect((await octavo('init', 'docs')).out).toContain(
      'created  ../.gitignore  because `octavo build` writes dist next to the folder\n',
    )
    expect(read('.gitignore')).toBe('node_modules/\ndist/\n.octavo/\n')
    write({ '.gitignore': 'mine\n' })
    expect((await octavo('init', 'other')).out).toContain('skipped  ../.gitignore\n')
    expect(read('.gitignore')).toBe('mine\n')
  })

  test('`octavo init --workflow` writes a workflow for the documentation folder', async () => {
    await octavo('init', 'docs', '--workflow', 'github')
    const workflow = read('.github/workflows/docs.yml')
    expect(workflow).toContain('path: docs/.octavo/cache\n')
    expect(workflow).toContain('- run: npx octavo check docs --format github\n')
    expect(workflow).toContain('- run: npm install\n')
    write({ 'package-lock.json': '{}' })
    rmSync(join(root, '.github'), { recursive: true })
    await octavo('init', 'more', '--workflow', 'github')
    expect(read('.github/workflows/docs.yml')).toContain('- run: npm ci\n')
  })

  test('octavo init changes nothing if a site or a file with the same name exists', async () => {
    write({ 'a/docs.json': '{}', 'b/index.mdx': 'mine' })
    expect((await octavo('init', 'a')).err).toContain('this folder already contains a site')
    expect((await octavo('init', 'b')).err).toContain('index.mdx would be overwritten')
    expect(readdirSync(join(root, 'b'))).toEqual(['index.mdx'])
    expect(read('b/index.mdx')).toBe('mine')
  })
})

describe('octavo rename', () => {
  const SITE = {
    'docs.json':
      '{ "navigation": { "pages": ["index", "guides/start"] },\n\n  "navbar": { "links": [ { "label": "Go", "href": "/guides/start#now" } ] } }\n',
    'index.mdx':
      "See [start](/guides/start#now), [again](./guides/start.mdx) and <a href='/guides/start'>x</a>.\n",
    'guides/start.mdx':
      "import Hint from '../snippets/hint.mdx'\n\n## Now\n\n<Hint /> [Home](../index) ![A dot](./dot.svg)\n",
    'guides/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'snippets/hint.mdx': 'A hint: [start](/guides/start).\n',
  }

  test('octavo rename updates every reference to the page and changes nothing else', async () => {
    write(SITE)
    expect((await octavo('rename', 'guides/start', 'basics/first.mdx')).code).toBe(0)
    expect(existsSync(join(root, 'guides/start.mdx'))).toBe(false)
    expect(read('index.mdx')).toBe(
      "See [start](/basics/first#now), [again](/basics/first) and <a href='/basics/first'>x</a>.\n",
    )
    expect(read('snippets/hint.mdx')).toBe('A hint: [start](/basics/first).\n')
    expect(read('basics/first.mdx')).toBe(
      "import Hint from '../snippets/hint.mdx'\n\n## Now\n\n<Hint /> [Home](/) ![A dot](../guides/dot.svg)\n",
    )
    const config = read('docs.json')
    expect(config).toContain(
      '{ "navigation": { "pages": ["index", "basics/first"] },\n\n  "navbar"',
    )
    expect(config).toContain('"href": "/basics/first#now"')
    expect(JSON.parse(config).redirects).toEqual([
      { source: '/guides/start', destination: '/basics/first' },
    ])
    expect((await octavo('check', '--strict')).code).toBe(0)
  })

  test('octavo rename updates the pages of questions, and leaves everything else in their file', async () => {
    const questions = (page: string) =>
      [
        `{"question": "Where is /guides/start?", "page": "${page}", "spans": ["/guides/start"]}`,
        '',
        `  { "question": "Why?",  "page": "/", "alsoAcceptable": ["${page}", "/guides/start/more"] }`,
        `{"question": "How?", "page": "/", "alsoSpans": [{"page": "${page}", "span": "now"}]}`,
        '{"question": "Is there an app?", "page": null}',
        `not JSON "page": "/guides/start"`,
      ].join('\r\n')
    write({ ...SITE, 'octavo-questions.jsonl': questions('/guides/start') })
    const { out } = await octavo('rename', 'guides/start', 'basics/first')
    expect(out).toContain('octavo-questions.jsonl  3 places')
    expect(read('octavo-questions.jsonl')).toBe(questions('/basics/first'))
  })

  test('renaming a page back leaves no redirect loop', async () => {
    write(SITE)
    await octavo('rename', 'guides/start', 'basics/first')
    await octavo('rename', 'basics/first', 'guides/start')
    expect(JSON.parse(read('docs.json')).redirects).toEqual([
      { source: '/basics/first', destination: '/guides/start' },
    ])
  })

  test('octavo rename rejects a missing page and an existing target', async () => {
    write(SITE)
    const missing = await octavo('rename', 'guides/strat', 'x')
    expect(missing.err).toBe(
      'octavo: the page "guides/strat" does not exist. Did you mean "guides/start"?\n',
    )
    expect((await octavo('rename', 'guides/start', 'index')).code).toBe(2)
    expect((await octavo('rename', 'guides/start', '../out')).code).toBe(2)
    expect(existsSync(join(root, 'guides/start.mdx'))).toBe(true)
  })

  test('octavo rename --dry-run writes nothing', async () => {
    write(SITE)
    expect((await octavo('rename', 'guides/start', 'x', '--dry-run')).out).toContain('Nothing was')
    expect(read('docs.json')).toBe(SITE['docs.json'])
  })

  test('paths of octavo rename can use the separators of the operating system', () => {
    const windows = { root: '/r', cwd: '/r', separator: '\\' }
    expect(pathFromRoot('guides\\start.mdx', windows)).toBe('guides/start.mdx')
    const other = { root: '/r', cwd: '/r/guides', separator: '/' }
    expect(pathFromRoot('guides\\start', other)).toBe('guides\\start')
    expect(pathFromRoot('./start', other)).toBe('guides/start')
    expect(pathFromRoot('guides/start', other)).toBe('guides/start')
  })
})

describe('octavo migrate', () => {
  const PAGES = { 'a.mdx': '# A', 'b.mdx': '# B', 'c.mdx': '# C' }

  test('octavo migrate converts mint.json and keeps a copy of it', async () => {
    const mint = '{"name": "X", "navigation": [{"group": "G", "pages": ["a", "b"]}]}'
    write({ ...PAGES, 'mint.json': mint })
    expect((await octavo('migrate')).code).toBe(0)
    expect(read('mint.json.old')).toBe(mint)
    expect(JSON.parse(read('docs.json')).navigation).toEqual({
      groups: [{ group: 'G', pages: ['a', 'b'] }],
    })
    expect((await octavo('check')).code).toBe(0)
  })

  test.each([
    [
      'groups and pages are merged into one list',
      { groups: [{ group: 'G', pages: ['a'] }], pages: ['b'] },
      { pages: [{ group: 'G', pages: ['a'] }, 'b'] },
    ],
    [
      'a list of tabs becomes `tabs`',
      [
        { tab: 'T', pages: ['a'] },
        { tab: 'U', pages: ['b'] },
      ],
      {
        tabs: [
          { tab: 'T', pages: ['a'] },
          { tab: 'U', pages: ['b'] },
        ],
      },
    ],
    [
      'links next to pages become global',
      { anchors: [{ anchor: 'Blog', href: 'https://acme.example' }], pages: ['a'] },
      {
        pages: ['a'],
        global: { anchors: [{ anchor: 'Blog', href: 'https://acme.example' }] },
      },
    ],
    [
      'groups next to tabs become a tab',
      { tabs: [{ tab: 'T', pages: ['a'] }], groups: [{ group: 'G', pages: ['b'] }] },
      {
        tabs: [
          { tab: 'T', pages: ['a'] },
          { tab: 'Documentation', groups: [{ group: 'G', pages: ['b'] }] },
        ],
      },
    ],
    [
      'groups inside a group become entries of its pages',
      { groups: [{ group: 'G', groups: [{ group: 'H', pages: ['a'] }], pages: ['b'] }] },
      { groups: [{ group: 'G', pages: [{ group: 'H', pages: ['a'] }, 'b'] }] },
    ],
    [
      'entries next to languages move into the first language',
      { languages: [{ language: 'en', pages: ['a'] }], pages: ['b'] },
      { languages: [{ language: 'en', pages: ['a', 'b'] }] },
    ],
  ])('octavo migrate converts the navigation so that %s', async (_, before, after) => {
    write({ ...PAGES, 'docs.json': JSON.stringify({ navigation: before }) })
    expect((await octavo('migrate')).code).toBe(0)
    expect(JSON.parse(read('docs.json')).navigation).toEqual(after)
    expect((await octavo('check')).code).toBe(0)
  })

  test('octavo migrate does not change a valid docs.json, and writes nothing with --dry-run', async () => {
    write({ ...PAGES, 'docs.json': '{"navigation": {"pages": ["a"]}}' })
    expect((await octavo('migrate')).out).toContain('Nothing to do')
    write({ 'docs.json': '{"navigation": {"groups": [], "pages": ["a"]}}' })
    expect((await octavo('migrate', '--dry-run')).out).toContain('Nothing was written')
    expect(existsSync(join(root, 'docs.json.old'))).toBe(false)
  })
})

describe('octavo check --fix', () => {
  test('octavo check --fix applies only safe fixes', async () => {
    write({
      'docs.json':
        '{ "navigation": { "pages": ["index", "new"] },\n  "redirects": [\n    { "source": "/older", "destination": "/old" },\n    { "source": "/old", "destination": "/new" }\n  ] }\n',
      'index.mdx': '[/old](/old "Old")  and [fees](/new#fees-&-billing) and [gone](/gone)\n',
      'new.mdx': '## Fees & billing\n',
      'guides/a.mdx': 'See [new](new#fees--billing).\n',
    })
    const { code, err } = await octavo('check', '--fix')
    expect(err).toBe(`docs.json:3
-     { "source": "/older", "destination": "/old" },
+     { "source": "/older", "destination": "/new" },

guides/a.mdx:1
- See [new](new#fees--billing).
+ See [new](/new#fees--billing).

index.mdx:1
- [/old](/old "Old")  and [fees](/new#fees-&-billing) and [gone](/gone)
+ [/old](/new "Old")  and [fees](/new#fees--billing) and [gone](/gone)

4 problems fixed in 3 files.
`)
    expect(code).toBe(1)
    expect(read('index.mdx')).toBe(
      '[/old](/new "Old")  and [fees](/new#fees--billing) and [gone](/gone)\n',
    )
    expect(read('guides/a.mdx')).toBe('See [new](/new#fees--billing).\n')
    expect(read('docs.json')).toContain('{ "source": "/older", "destination": "/new" },\n')
  })
})

describe('octavo check --format sarif', () => {
  test('the SARIF report has a rule for each code and a location for each finding', async () => {
    write({ 'docs.json': '{"navigation": {"pages": ["index"]}}', 'index.mdx': '[x](/y)\n' })
    const log = JSON.parse((await octavo('check', '--format', 'sarif')).out)
    const [sarif] = log.runs
    expect(sarif.tool.driver.rules[0].id).toBe('link/broken')
    expect(sarif.results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'index.mdx' },
      region: { startLine: 1, startColumn: 5 },
    })
  })
})
