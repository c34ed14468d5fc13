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
  // Two folders down, so that what is written above it stays among what is removed.
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

describe('how octavo build ends', () => {
  test('0 when all is well, and the site is there', async () => {
    const { code, out, err } = await build()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/✓ No problems in 1 page\.\n1 page compiled, \d+ files in dist/)
    expect(readFileSync(join(cwd, 'dist/a/index.html'), 'utf8')).toContain('Text.')
    // What is kept for the next build is not for the repository; skills, which authors write, are.
    expect(readFileSync(join(cwd, '.octavo/.gitignore'), 'utf8')).toBe('*\n!skills/\n!skills/**\n')
  })

  test('1 when a page has an error, and the site is there all the same', async () => {
    write('a.mdx', '<Nothing>Text.</Nothing>\n')
    expect((await build()).code).toBe(1)
    expect(readFileSync(join(cwd, 'dist/a/index.html'), 'utf8')).toContain('Text.')
    // Also from the cache.
    expect((await build()).code).toBe(1)
  })

  test('1 for a warning only with --strict', async () => {
    write('docs.json', '{"nme": "Site", "navigation": {"pages": ["a"]}}')
    expect((await build()).code).toBe(0)
    expect((await build('--strict')).code).toBe(1)
  })

  test('2 without docs.json, without the folder, or for options that make no sense', async () => {
    rmSync(join(cwd, 'docs.json'))
    expect((await build()).code).toBe(2)
    expect((await build('nowhere')).code).toBe(2)
    expect((await build('--workers', '0')).code).toBe(2)
    expect(existsSync(join(cwd, 'dist'))).toBe(false)
  })

  test.each(['.', '..', '../..'])(
    '2 when the site would be written over its source: -o %s',
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

test('--json tells programs what was built and what is wrong', async () => {
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

// esbuild reads names of files differently where its working directory has them, so this needs a
// process of its own.
test.each([['.'], [join('..', 'docs')]])(
  'components of authors work when the command runs inside the documentation: build %s',
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
