import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './run.ts'
import { systemClock } from './system-clock.ts'

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
      '{\n  "navigation": {\n    "tabs": [{ "tab": "Guides", "anchors": [], "groups": [] }]\n  }\n}\n',
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

async function octavoOn(
  terminal: { isTTY?: boolean; NO_COLOR?: string },
  ...args: readonly string[]
) {
  let out = ''
  let err = ''
  const { isTTY = false, NO_COLOR } = terminal
  const code = await run({
    args,
    cwd: root,
    env: { NO_COLOR, FORCE_COLOR: undefined },
    clock: systemClock,
    out: { write: (text) => (out += text), isTTY },
    err: { write: (text) => (err += text), isTTY },
  })
  return { code, out, err }
}

describe('octavo check', () => {
  test('a good site: exit code 0', async () => {
    expect(await octavo('check', 'good')).toEqual({
      code: 0,
      out: '✓ No problems in 1 page.\n',
      err: '',
    })
  })

  test('a warning fails only with --strict', async () => {
    expect((await octavo('check', 'warned')).code).toBe(0)
    expect((await octavo('check', 'warned')).out).toContain('✓ 1 warning')
    expect((await octavo('check', 'warned', '--strict')).code).toBe(1)
    expect((await octavo('check', 'warned', '--strict')).out).toContain('✗ 1 warning')
  })

  test('errors: exit code 1, and a report to read', async () => {
    const { code, out } = await octavo('check', 'bad')
    expect(code).toBe(1)
    expect(out).toMatchInlineSnapshot(`
      "warning  docs.json:3:14  nav/empty
        Tab "Guides" has nothing in it.

        3 │ "tabs": [{ "tab": "Guides", "anchors": [], "groups": [] }]
          │          ^
        Hint: Give it children or \`href\`, or remove it.

      error  docs.json:3:48  nav/mixed-children
        Tab "Guides" has both \`anchors\` and \`groups\`. One level holds one kind of child.

        3 │ "tabs": [{ "tab": "Guides", "anchors": [], "groups": [] }]
          │                                            ^
        docs.json:3:33  \`anchors\` is here.
        Hint: Move \`groups\` inside an entry of \`anchors\`, or remove one of the two.

      note  nav/orphan-page: 2, the first at index.mdx:1:1
      --all lists every one of them.

      ✗ 1 error, 1 warning, 2 notes in 2 pages.
      "
    `)
  })

  test('--all lists the notes too', async () => {
    expect((await octavo('check', 'bad', '--all')).out).toContain(
      'note  other.mdx:1:1  nav/orphan-page',
    )
  })

  test('--format json is for programs', async () => {
    const report = JSON.parse((await octavo('check', 'bad', '--format', 'json')).out)
    expect(report.counts).toEqual({ error: 1, warning: 1, note: 2 })
    expect(report.diagnostics[1]).toMatchObject({
      code: 'nav/mixed-children',
      place: { file: 'docs.json', line: 3, column: 48, pointer: '/navigation/tabs/0/groups' },
    })
  })

  test('--format github escapes what an author wrote', async () => {
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

  test('an escape sequence in a name does not reach the terminal', async () => {
    site('steering', {
      'docs.json': '{"navigation": {"tabs": [{"tab": "\\u001b[2J"}], "\\u001b[31m": 1}}',
    })
    expect((await octavo('check', 'steering', '--all')).out).not.toContain('\u001b')
    expect((await octavo('nav', 'steering')).out).not.toContain('\u001b')
  })

  test('colours only on a terminal, and not with NO_COLOR', async () => {
    expect((await octavoOn({ isTTY: true }, 'check', 'bad')).out).toContain('\u001b[31merror')
    expect((await octavoOn({ isTTY: true, NO_COLOR: '1' }, 'check', 'bad')).out).not.toContain(
      '\u001b',
    )
    expect((await octavo('check', 'bad')).out).not.toContain('\u001b')
  })
})

describe('octavo nav', () => {
  test('prints the tree', async () => {
    expect(await octavo('nav', 'good')).toEqual({ code: 0, out: 'index  "Hi"\n', err: '' })
  })

  test('prints the tree of a broken site too, and says that it is', async () => {
    const { code, out, err } = await octavo('nav', 'bad')
    expect(code).toBe(0)
    expect(out).toBe('tab "Guides"\n')
    expect(err).toBe('\n1 error in this site: `octavo check` tells what to do.\n')
  })

  test('--json is for programs', async () => {
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

describe('a command that is not understood: exit code 2', () => {
  test.each([
    [['chek'], 'there is no command "chek". Did you mean `check`?'],
    [['check', 'nowhere'], 'there is no folder "nowhere".'],
    [['check', '--format', 'xml'], '--format is text, json, github, not "xml".'],
    [['check', '--loud'], "Unknown option '--loud'"],
    [['check', '--json'], '--json is not an option of check.'],
    [['nav', '--strict'], '--strict is not an option of nav.'],
    [['check', 'a', 'b'], 'one folder at a time; "b" is too many.'],
    [['nav', 'empty'], 'There is no docs.json here.'],
    [[], 'Usage'],
  ])('octavo %j', async (args, message) => {
    const { code, err } = await octavo(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  test('a folder without docs.json says where one is', async () => {
    const { code, out } = await octavo('check', 'empty')
    expect(code).toBe(2)
    expect(out).toContain('There is one in docs/docs.json: name that folder.')
  })

  test('--help and --version are answers, not mistakes', async () => {
    expect((await octavo('--help')).code).toBe(0)
    expect(await octavo('help')).toEqual(await octavo('--help'))
    expect(await octavo('--version')).toEqual({ code: 0, out: '0.0.0\n', err: '' })
  })
})
