import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { VERSION } from '@octavo/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from './context/system-clock.ts'
import { run } from './run.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-cli-'))
  site('good', {
    'docs.json': '{"navigation": {"pages": ["index"]}}',
    'index.mdx': '---\ntitle: Hi\n---\n',
  })
  site('warned', {
    'docs.json': '{"nme": "x", "navigation": {"pages": ["index"]}}',
    'index.mdx': '# Hi',
  })
  site('bad', {
    'docs.json':
      '{\n  "navigation": {\n    "tabs": [{ "tab": "Guides", "anchors": [{ "anchor": "A" }], "pages": ["index"] }]\n  }\n}\n',
    'index.mdx': '# Hi',
    'other.mdx': '# Other',
  })
  site('empty', { 'docs/docs.json': '{}' })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function site(name: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

function octavo(...args: readonly string[]) {
  return octavoOn({}, ...args)
}

function octavoIn(folder: string, ...args: readonly string[]) {
  return octavoOn({ folder }, ...args)
}

async function octavoOn(
  terminal: { isTTY?: boolean; NO_COLOR?: string; folder?: string },
  ...args: readonly string[]
) {
  let out = ''
  let err = ''
  const { isTTY = false, NO_COLOR, folder = '' } = terminal
  const code = await run({
    args,
    cwd: join(root, folder),
    env: { NO_COLOR, FORCE_COLOR: undefined },
    clock: systemClock,
    out: { write: (text) => (out += text), isTTY },
    err: { write: (text) => (err += text), isTTY },
  })
  return { code, out, err }
}

describe('octavo check', () => {
  test('octavo check exits with 0 for a site without problems', async () => {
    expect(await octavo('check', 'good')).toEqual({
      code: 0,
      out: '✓ No problems in 1 page.\n',
      err: '',
    })
  })

  test('a warning makes octavo check fail only with --strict', async () => {
    expect((await octavo('check', 'warned')).code).toBe(0)
    expect((await octavo('check', 'warned')).out).toContain('✓ 1 warning')
    expect((await octavo('check', 'warned', '--strict')).code).toBe(1)
    expect((await octavo('check', 'warned', '--strict')).out).toContain('✗ 1 warning')
  })

  test('octavo check exits with 1 for errors and prints a readable report', async () => {
    const { code, out } = await octavo('check', 'bad')
    expect(code).toBe(1)
    expect(out).toMatchInlineSnapshot(`
      "warning  docs.json:3:45  nav/empty
        Anchor "A" is empty.

        3 │ "tabs": [{ "tab": "Guides", "anchors": [{ "anchor": "A" }], "pages": ["index"] }]
          │                                         ^
        Hint: Give it children or \`href\`, or remove it.

      error  docs.json:3:65  nav/mixed-children
        Tab "Guides" has both \`anchors\` and \`pages\`. A level can have only one kind of child.

        3 │ "tabs": [{ "tab": "Guides", "anchors": [{ "anchor": "A" }], "pages": ["index"] }]
          │                                                             ^
        docs.json:3:33  \`anchors\` is here.
        Hint: Move \`pages\` inside an entry of \`anchors\`, or remove one of the two.

      note  nav/orphan-page: 1, the first at other.mdx:1:1
      Use --all to list them.

      ✗ 1 error, 1 warning, 1 note in 2 pages.
      "
    `)
  })

  test('octavo check --quiet prints only problems', async () => {
    expect(await octavo('check', 'good', '--quiet')).toEqual({ code: 0, out: '', err: '' })
    expect((await octavo('check', 'bad', '-q')).out).toContain('nav/mixed-children')
  })

  test('octavo check --no-cache removes compiled output and keeps hosted specifications', async () => {
    const kept = join(root, 'good/.octavo/cache')
    mkdirSync(join(kept, 'specifications'), { recursive: true })
    writeFileSync(join(kept, 'old'), '')
    expect((await octavo('check', 'good', '--no-cache')).code).toBe(0)
    expect(
      [join(kept, 'old'), join(kept, 'specifications')].map((path) => existsSync(path)),
    ).toEqual([false, true])
  })

  test('octavo check --all lists notes too', async () => {
    expect((await octavo('check', 'bad', '--all')).out).toContain(
      'note  other.mdx:1:1  nav/orphan-page',
    )
  })

  test('octavo check --format json prints counts and diagnostics', async () => {
    const report = JSON.parse((await octavo('check', 'bad', '--format', 'json')).out)
    expect(report.counts).toEqual({ error: 1, warning: 1, note: 1 })
    expect(report.diagnostics[1]).toMatchObject({
      code: 'nav/mixed-children',
      place: { file: 'docs.json', line: 3, column: 65, pointer: '/navigation/tabs/0/pages' },
    })
  })

  test("octavo check --format github escapes an author's text", async () => {
    site('hostile', {
      'docs.json': '{"a%\\n::stop-commands::x": 1, "navigation": {"pages": ["index"]}}',
    })
    const { out } = await octavo('check', 'hostile', '--format', 'github')
    expect(
      out
        .split('\n')
        .filter((line) => line !== '')
        .every((line) => /^::(error|warning|notice) file=hostile\/docs\.json,/.test(line)),
    ).toBe(true)
    expect(out).not.toMatch(/^::stop/m)
  })

  test('escape sequences in names do not reach the terminal', async () => {
    site('steering', {
      'docs.json': '{"navigation": {"tabs": [{"tab": "\\u001b[2J"}], "\\u001b[31m": 1}}',
    })
    expect((await octavo('check', 'steering', '--all')).out).not.toContain('\u001b')
    expect((await octavo('nav', 'steering')).out).not.toContain('\u001b')
  })

  test('reports have colors only on a terminal without NO_COLOR', async () => {
    expect((await octavoOn({ isTTY: true }, 'check', 'bad')).out).toContain('\u001b[31merror')
    expect((await octavoOn({ isTTY: true, NO_COLOR: '1' }, 'check', 'bad')).out).not.toContain(
      '\u001b',
    )
    expect((await octavo('check', 'bad')).out).not.toContain('\u001b')
  })
})

describe('octavo nav', () => {
  test('octavo nav prints the navigation tree', async () => {
    expect(await octavo('nav', 'good')).toEqual({ code: 0, out: 'index  "Hi"\n', err: '' })
  })

  test('octavo nav prints the tree of a broken site and reports the errors', async () => {
    const { code, out, err } = await octavo('nav', 'bad')
    expect(code).toBe(0)
    expect(out).toBe('tab "Guides"\n  anchor "A"\n  index  "Index"\n')
    expect(err).toBe('\n1 error in this site: run `octavo check` for details.\n')
  })

  test('octavo nav --json prints the tree as JSON', async () => {
    const tree = JSON.parse((await octavo('nav', 'good', '--json')).out)
    expect(tree.children).toEqual([
      {
        type: 'page',
        path: 'index',
        url: '/',
        label: 'Hi',
        hidden: false,
        deprecated: false,
        missing: false,
        breadcrumbs: [],
      },
    ])
  })
})

describe('invalid command lines (exit code 2)', () => {
  test.each([
    [['chek'], 'Unknown command "chek". Did you mean `check`?'],
    [['check', 'nowhere'], 'the folder "nowhere" does not exist.'],
    [['check', '--format', 'xml'], 'Invalid --format "xml": expected text, json, github, sarif.'],
    [['check', '--loud'], 'Unknown option "--loud".\nUsage: octavo check [dir] [options]\n'],
    [['dev', '--prot', '1'], 'Unknown option "--prot". Did you mean --port?\nUsage: octavo dev'],
    [['build', '--output'], "Option '-o, --output <value>' argument missing."],
    [['broken-links', '--deep'], 'Unknown command "broken-links". `octavo check` finds'],
    [['openapi-check', 'api.yaml'], '`octavo check` also checks OpenAPI documents.'],
    [['score'], '`octavo eval` measures search and answers.'],
    [['format', '--write'], '`octavo check --fix` corrects mistakes.'],
    [['analytics', 'stats'], '`octavo gaps` lists unanswered questions'],
    [['a11y'], '`octavo check` reports missing alt text'],
    [['serve', '--port', '1'], '`octavo preview` serves a built site'],
    [['start'], '`octavo dev` starts a local server that updates as you write.'],
    [['help', 'frob'], 'Unknown command "frob".'],
    [
      ['preview', 'good'],
      '"good" is the source of the documentation, not the built site. Run `octavo build good`',
    ],
    [['preview', 'nowhere'], 'no built site was found in "nowhere". Run `octavo build` first.'],
    [['preview', '--port', 'x'], 'Invalid --port: expected a number up to 65535.'],
    [['init', '--workflow', 'gitlab'], 'Invalid --workflow "gitlab": expected github.'],
    [['check', '--json'], '--json is not an option of check.'],
    [['nav', '--strict'], '--strict is not an option of nav.'],
    [['export', '--offline'], '--offline is not an option of export.'],
    [['deploy', '--project', 'p', '--draft', '--preview'], 'cannot be used together.'],
    [['deployments'], 'Missing --project: the id of the project, prj_….'],
    [['deployments', 'rolback', '--project', 'p'], 'Did you mean `rollback`?'],
    [
      ['deployments', 'frob', '--project', 'p'],
      'Unknown subcommand "frob". Expected list, publish',
    ],
    [['deployments', 'publish', '--project', 'p'], 'Missing argument: the number of a deployment.'],
    [['deployments', 'list', 'x', '--project', 'p'], 'Unexpected argument "x".'],
    [['deployments', 'diff', 'x', 'y', '--project', 'p'], 'Unexpected argument "y".'],
    [['deployments', 'lock', '--project', 'p'], 'Missing --reason: why the project is locked.'],
    [['deployments', 'delete-preview', '--project', 'p'], 'Missing argument: the branch.'],
    [['deployments', '--project', 'p', '--service', 'ftp://x'], 'Invalid --service'],
    [['deployments', '--project', 'p'], 'OCTAVO_API_KEY is not set.'],
    [['builds', 'lgo', '--project', 'p'], 'Did you mean `log`?'],
    [['builds', 'log', '--project', 'p'], 'Missing argument: the id of a build.'],
    [
      ['builds', 'show', 'x', '--follow', '--project', 'p'],
      '--follow is an option of `builds log`.',
    ],
    [['gaps', 'lnik', '--project', 'p'], 'Did you mean `link`?'],
    [['domain', 'chek', '--project', 'p'], 'Did you mean `check`?'],
    [['domain', 'add', '--project', 'p'], 'Missing argument: the domain, such as'],
    [['domain', 'list', 'x', '--project', 'p'], 'Unexpected argument "x".'],
    [['domain', 'remove', 'x', 'y', '--project', 'p'], 'Unexpected argument "y".'],
    [['domain', 'add', 'x'], 'Missing --project'],
    [['domains'], '`octavo domain` lists, adds, checks and removes custom domains'],
    [['login', 'me'], 'Invalid service "me": expected a URL'],
    [['login', 'https://x.example', '--service', 'https://y.example'], 'Unexpected argument'],
    [['whoami', '--service', 'ftp://x'], 'Invalid service "ftp://x"'],
    [['logout', '--json'], '--json is not an option of logout.'],
    [['gaps', 'link', 'x', '--project', 'p'], 'Missing argument: the path of a page'],
    [['gaps', 'verify', '--project', 'p'], 'Missing argument: the id of a gap.'],
    [['gaps', 'dismiss', 'x', 'y', '--project', 'p'], 'Unexpected argument "y".'],
    [['gaps', '--state', 'closed', '--project', 'p'], 'Invalid --state "closed": expected open,'],
    [['gaps', 'verify', 'x', '--state', 'open', '--project', 'p'], 'is an option of `gaps list`.'],
    [['eval', 'q.jsonl', '--gaps', 'd', '--project', 'p'], 'Remove the file.'],
    [['eval', '--gaps', 'd', '--scope', 'en', '--project', 'p'], 'combined with --scope.'],
    [['eval', '--gaps', 'd'], 'Missing --project'],
    [['eval', '--gaps', 'd', '--project', 'p'], 'OCTAVO_API_KEY is not set.'],
    [['eval', '--project', 'p'], '--project needs --against or --gaps.'],
    [['eval', '--against', 'live', '--service', 'https://x.example'], 'Missing --project'],
    [['eval', '--against', '4', '--project', 'p'], 'OCTAVO_API_KEY is not set.'],
    [['rollback'], '`octavo deployments rollback` goes back'],
    [['rename', 'a', 'b', '--allow-private-host', 'c'], 'is not an option of rename.'],
    [['check', '--offline', '--external'], '--external needs the network. Remove --offline.'],
    [['build', '--allow-private-host', 'http://a/'], 'expected a host such as specs.internal'],
    [['dev', '--allow-private-host', 'a:80'], 'Invalid --allow-private-host "a:80": expected'],
    [['check', 'a', 'b'], 'Unexpected argument "b".\nUsage: octavo check [dir] [options]'],
    [['nav', 'empty'], 'docs.json was not found in this folder.'],
    [[], 'Usage'],
  ])('octavo rejects the arguments %j', async (args, message) => {
    const { code, err } = await octavo(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  test('if docs.json is missing, the hint names the docs.json in a subfolder', async () => {
    const { code, out } = await octavo('check', 'empty')
    expect(code).toBe(2)
    expect(out).toContain('There is one in docs/docs.json: pass that folder.')
  })

  test('if docs.json is missing, the hint suggests octavo init or the docs.json of a parent folder', async () => {
    site('bare', { 'index.mdx': '# Hi' })
    expect((await octavo('check', 'bare')).out).toContain('or create a site with `octavo init`.')
    site('good', { 'inside/index.mdx': '# Hi' })
    const inside = await octavoIn('good/inside', 'check')
    expect(inside).toMatchObject({ code: 2 })
    expect(inside.out).toContain(
      'Hint: There is one in a parent folder, ../docs.json: pass that folder, `..`.',
    )
    expect((await octavo('nav', 'good/inside')).err).toContain('good/docs.json: pass that folder')
    rmSync(join(root, 'good/inside'), { recursive: true })
  })

  test('the help of one command lists only its options', async () => {
    const help = await octavo('build', '--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toMatch(/^Build the site .*\n\nUsage: octavo build \[dir\] \[options\]\n/)
    expect(help.out).toContain('--url <url>')
    expect(help.out).not.toContain('--port')
    expect(await octavo('help', 'build')).toEqual(help)
    expect((await octavo('--help')).out).not.toContain('--url')
  })

  test('octavo --help and octavo --version exit with 0', async () => {
    expect((await octavo('--help')).code).toBe(0)
    expect(await octavo('help')).toEqual(await octavo('--help'))
    expect(await octavo('--version')).toEqual({ code: 0, out: `${VERSION}\n`, err: '' })
  })
})

const PLANTS = `openapi: 3.1.0
info: { title: Plants, version: '1' }
tags: [{ name: plants, x-group: All plants }]
paths:
  /plants:
    get:
      summary: List plants
      tags: [plants]
      deprecated: true
    post:
      summary: 'Add a plant: "quoted"'
      tags: [plants]
      x-svc: { metadata: { sidebarTitle: Add, openapi: GET /other }, content: 'Handle with care.' }
    delete: { x-hidden: true }
  /about:
    get: {}
webhooks:
  wilted:
    post: { summary: List plants, tags: [plants] }
`

describe('octavo scrape openapi-file', () => {
  test('octavo scrape writes a page for each operation and prints the navigation', async () => {
    site('scraped', { 'docs.json': '{"navigation": {"pages": ["index"]}}', 'api.yaml': PLANTS })
    const result = await octavo('scrape', 'openapi-file', 'scraped/api.yaml', '-o', 'scraped/ref')
    expect(result).toEqual({
      code: 0,
      err: '',
      out: `created  scraped/ref/plants/list-plants.mdx
created  scraped/ref/plants/add-a-plant-quoted.mdx
created  scraped/ref/plants/list-plants-1.mdx
created  scraped/ref/get-about.mdx
hidden  DELETE /plants

4 pages. Add this to \`pages\` in docs.json:

[
  {
    "group": "All plants",
    "pages": [
      "ref/plants/list-plants",
      "ref/plants/add-a-plant-quoted",
      "ref/plants/list-plants-1"
    ]
  },
  "ref/get-about"
]
`,
    })
    const read = (path: string) => readFileSync(join(root, 'scraped/ref', path), 'utf8')
    expect(read('plants/list-plants.mdx')).toBe(
      '---\ntitle: "List plants"\nopenapi: "api.yaml GET /plants"\ndeprecated: true\n---\n',
    )
    expect(read('plants/add-a-plant-quoted.mdx')).toBe(
      '---\ntitle: "Add a plant: \\"quoted\\""\nopenapi: "api.yaml POST /plants"\nsidebarTitle: "Add"\n---\n\nHandle with care.\n',
    )
    expect(read('plants/list-plants-1.mdx')).toContain('openapi: "api.yaml webhook wilted"')
  })

  test('scraped pages have no problems', async () => {
    const pages = ['ref/plants/list-plants', 'ref/plants/add-a-plant-quoted']
    const navigation = { pages: [...pages, 'ref/plants/list-plants-1', 'ref/get-about'] }
    writeFileSync(join(root, 'scraped/docs.json'), JSON.stringify({ navigation }))
    const { code, out } = await octavo('check', 'scraped', '--strict', '--all')
    expect(out).toContain('x-svc.metadata')
    expect(code).toBe(1)
    writeFileSync(join(root, 'scraped/api.yaml'), PLANTS.replace(', openapi: GET /other', ''))
    expect(await octavo('check', 'scraped', '--strict')).toMatchObject({ code: 0 })
  })

  test('octavo scrape does not change an existing page and reports it as skipped', async () => {
    writeFileSync(join(root, 'scraped/ref/get-about.mdx'), 'My own words.')
    const result = await octavo('scrape', 'openapi-file', 'scraped/api.yaml', '-o', 'scraped/ref')
    expect(result.code).toBe(1)
    expect(result.out).toMatch(/^skipped {2}scraped\/ref\/get-about.mdx\n/)
    expect(result.err).toContain(
      '1 file already exists and was not changed. Use `--overwrite` to replace existing files.',
    )
    expect(readFileSync(join(root, 'scraped/ref/get-about.mdx'), 'utf8')).toBe('My own words.')
  })

  test('octavo scrape --overwrite replaces an existing page and reports it', async () => {
    const args = ['scrape', 'openapi-file', 'scraped/api.yaml', '-o', 'scraped/ref', '--overwrite']
    const result = await octavo(...args)
    expect(result.code).toBe(0)
    expect(result.out).toMatch(/^replaced {2}scraped\/ref\/get-about.mdx\n/)
  })

  test('octavo scrape without -o writes pages to the working directory', async () => {
    site('here', { 'api.yaml': PLANTS })
    const result = await octavoIn('here', 'scrape', 'openapi-file', 'api.yaml')
    expect(result.out).toMatch(/^created {2}plants\/list-plants.mdx\n/)
  })

  test.each([
    [['scrape'], 'Usage: octavo scrape openapi-file <specification> [options]'],
    [['scrape', 'openapi-file'], 'Missing argument: the specification.'],
    [['scrape', 'openapi-file', 'a', 'b'], 'Unexpected argument "b".'],
    [['scrape', 'openapi-file', 'none.yaml'], 'the file "none.yaml" does not exist.'],
  ])('octavo rejects the scrape arguments %j', async (args, reason) => {
    const { code, err } = await octavo(...args)
    expect(err).toContain(reason)
    expect(code).toBe(2)
  })

  test('octavo scrape reports an unsupported specification with its place', async () => {
    site('old', { 'api.json': '{\n  "swagger": "1.2"\n}' })
    const { code, err } = await octavo('scrape', 'openapi-file', 'old/api.json', '-o', 'old')
    expect(err).toMatch(/^error {2}old\/api.json:2:14 {2}openapi\/version\n/)
    expect(code).toBe(1)
  })
})
