import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../run.ts'

let root = ''
let cwd = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-cli-build-'))
  // The folder is two levels deep, so that output in a parent folder is deleted with the root.
  cwd = join(root, 'repository/docs')
  mkdirSync(cwd, { recursive: true })
  write('docs.json', '{"name": "Site", "navigation": {"pages": ["a"]}}')
  write('a.mdx', '---\ntitle: A\n---\nText.\n')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  writeFileSync(join(cwd, path), text)
}

async function build(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const code = await run({
    args: ['build', ...args],
    cwd,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    out: { write: (text) => (printed.out += text) },
    err: { write: (text) => (printed.err += text) },
  })
  return { code, ...printed }
}

describe('exit codes of octavo build', () => {
  test('a build without problems exits with 0 and writes the site', async () => {
    const { code, out, err } = await build()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/✓ No problems in 1 page\.\n1 page compiled, \d+ files in dist/)
    expect(readFileSync(join(cwd, 'dist/a/index.html'), 'utf8')).toContain('Text.')
    // Git ignores the cache, but not skills, which authors write.
    expect(readFileSync(join(cwd, '.octavo/.gitignore'), 'utf8')).toBe('*\n!skills/\n!skills/**\n')
  })

  test('if a page has an error, octavo build exits with 1 but still writes the site', async () => {
    write('a.mdx', '<Nothing>Text.</Nothing>\n')
    expect((await build()).code).toBe(1)
    expect(readFileSync(join(cwd, 'dist/a/index.html'), 'utf8')).toContain('Text.')
    // An error on a cached page is reported too.
    expect((await build()).code).toBe(1)
  })

  test('if a page has a warning, octavo build exits with 1 only with --strict', async () => {
    write('docs.json', '{"nme": "Site", "navigation": {"pages": ["a"]}}')
    expect((await build()).code).toBe(0)
    expect((await build('--strict')).code).toBe(1)
  })

  test('octavo build exits with 2 if docs.json or the folder is missing or an option is invalid', async () => {
    rmSync(join(cwd, 'docs.json'))
    expect((await build()).code).toBe(2)
    expect((await build('nowhere')).code).toBe(2)
    expect((await build('--workers', '0')).code).toBe(2)
    expect(existsSync(join(cwd, 'dist'))).toBe(false)
  })

  test.each(['.', '..', '../..'])(
    'octavo build -o %s exits with 2 because it would overwrite the source',
    async (o) => {
      const { code, err } = await build('-o', o)
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining('that folder contains its source'),
      })
      expect(readFileSync(join(cwd, 'a.mdx'), 'utf8')).toContain('Text.')
    },
  )
})

test('octavo build --json prints counts and diagnostics', async () => {
  write('a.mdx', '<Nothing>Text.</Nothing>\n')
  const { code, out } = await build('--json')
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    pageCount: 1,
    compiledCount: 1,
    removedCount: 0,
    counts: { error: 1 },
    diagnostics: [{ code: 'content/unknown-component', place: { file: 'a.mdx', line: 1 } }],
  })
  expect(JSON.parse((await build('--json')).out)).toMatchObject({
    compiledCount: 0,
    writtenCount: 0,
    counts: { error: 1 },
  })
})

// esbuild resolves file names differently when they are in its working directory, so this test
// needs its own process.
test.each([['.'], [join('..', 'docs')]])(
  'custom components work if `octavo build %s` runs inside the documentation folder',
  (folder) => {
    mkdirSync(join(cwd, 'snippets'))
    write(
      'snippets/counter.jsx',
      'export const Counter = () => {\n  const [count, set] = useState(1)\n  return <button onClick={() => set(count + 1)}>{count}</button>\n}\n',
    )
    write('a.mdx', "import { Counter } from '/snippets/counter.jsx'\n\n<Counter />\n")
    const main = join(import.meta.dirname, '../main.ts')
    const env = { ...process.env, NO_COLOR: '1' }
    const out = execFileSync(process.execPath, [main, 'build', folder], { cwd, env })
    expect(String(out)).toContain('✓ No problems in 1 page.')
    const html = readFileSync(join(cwd, 'dist/a/index.html'), 'utf8')
    const [, module = ''] = /data-module="\/([^"]+)"/.exec(html) ?? []
    expect(readFileSync(join(cwd, 'dist', module), 'utf8')).toContain('onClick')
  },
)
