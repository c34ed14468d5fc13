/**
 * Tests the reports of `octavo check` for changed sites, for severities and for copies of pages.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runIn, writeFiles } from '../../testing/run-in.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-check-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (files: Readonly<Record<string, string>>) => writeFiles(root, files)

const octavo = (...args: readonly string[]) => runIn(root, args)

const configOf = (pages: readonly string[], check?: object) =>
  `${JSON.stringify({ name: 'Site', navigation: { pages }, ...(check && { check }) }, null, 2)}\n`

describe('octavo check --since', () => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const commit = () => {
    git('add', '-A')
    git('commit', '-q', '-m', 'change')
  }
  /** Returns the places of the reported findings, and the number of other findings. */
  const found = async (...args: readonly string[]) => {
    const { code, out } = await octavo('check', 'docs', '--format', 'json', ...args)
    type Report = { otherCount: number; diagnostics: { code: string; place: Place }[] }
    type Place = { file: string; line: number }
    const { otherCount, diagnostics } = JSON.parse(out) as Report
    const places = diagnostics.map(({ code: name, place }) => `${place.file}:${place.line} ${name}`)
    return { code, otherCount, places }
  }

  beforeEach(() => {
    write({
      'docs/docs.json': configOf(['index', 'a', 'b', 'ä']),
      'docs/index.mdx': '[old fault](/nowhere)\n\nText.\n\n[b](/b)\n',
      'docs/a.mdx': '[old fault](/nowhere)\n\n[b](/b#part)\n',
      'docs/b.mdx': '## Part\n',
      'docs/ä.mdx': 'Text.\n',
      'docs/.octavoignore': '/drafts/\n',
      'other/readme.md': 'Outside.\n',
    })
    git('init', '-q', '-b', 'main')
    commit()
  })

  test('octavo check --since only counts older findings', async () => {
    expect(await found('--since', 'main')).toEqual({ code: 0, otherCount: 2, places: [] })
    const { out } = await octavo('check', 'docs', '--since', 'main')
    expect(out).toBe('✓ No problems in 4 pages. 2 more, not caused by changes since main.\n')
  })

  test('octavo check --since reports findings on changed and new lines, committed or not', async () => {
    git('checkout', '-q', '-b', 'work')
    write({ 'docs/ä.mdx': 'Text.\n\n[new](/nowhere-a)\n' })
    commit()
    write({
      'docs/index.mdx': '[old fault](/nowhere)\n\nNew [one](/nowhere-b).\n\n[b](/b)\n',
      'docs/c.mdx': '---\nhidden: true\n---\n[new page](/nowhere-c)\n',
    })
    expect((await found('--since', 'main')).places).toEqual([
      'c.mdx:4 link/broken',
      'index.mdx:3 link/broken',
      'ä.mdx:3 link/broken',
    ])
    expect((await found('--since', 'HEAD')).places).toHaveLength(2)
  })

  test('octavo check --since reports an old finding on a changed line, but not on a moved line', async () => {
    write({ 'docs/a.mdx': 'A line more.\n\n[old fault](/nowhere)\n\n[b](/b#part)\n' })
    expect((await found('--since', 'main')).places).toEqual([])
    write({ 'docs/a.mdx': '[old fault, other words](/nowhere)\n\n[b](/b#part)\n' })
    expect((await found('--since', 'main')).places).toEqual(['a.mdx:1 link/broken'])
  })

  test('octavo check --since reports links to a page that was deleted', async () => {
    rmSync(join(root, 'docs/b.mdx'))
    expect(await found('--since', 'main')).toEqual({
      code: 1,
      otherCount: 2,
      places: ['a.mdx:3 link/broken', 'docs.json:7 nav/missing-page', 'index.mdx:5 link/broken'],
    })
  })

  test('octavo check --since reports links to a heading that was changed', async () => {
    write({ 'docs/b.mdx': '## Chapter\n' })
    expect((await found('--since', 'main')).places).toEqual(['a.mdx:3 link/anchor'])
  })

  test('octavo check --since does not report old findings of a renamed page', async () => {
    renameSync(join(root, 'docs/a.mdx'), join(root, 'docs/z.mdx'))
    write({ 'docs/docs.json': configOf(['index', 'z', 'b', 'ä']) })
    git('add', '-A')
    expect((await found('--since', 'main')).places).toEqual([])
  })

  test('octavo check --since ignores changes that others have made on the branch in the meantime', async () => {
    git('checkout', '-q', '-b', 'work')
    git('checkout', '-q', 'main')
    write({ 'docs/a.mdx': 'No links.\n' })
    commit()
    git('checkout', '-q', 'work')
    expect((await found('--since', 'main')).places).toEqual([])
  })

  test('octavo check --since --fix only fixes what has changed', async () => {
    const redirects = [{ source: '/old', destination: '/a' }]
    const config = { name: 'Site', navigation: { pages: ['index', 'a', 'b', 'ä'] }, redirects }
    write({ 'docs/docs.json': JSON.stringify(config), 'docs/a.mdx': '[one](/old)\n' })
    commit()
    write({ 'docs/b.mdx': '## Part\n\n[two](/old)\n' })
    const { err } = await octavo('check', 'docs', '--since', 'HEAD', '--fix')
    expect(err).toContain('1 problem fixed in 1 file.')
  })

  test('octavo check --since rejects an unknown ref', async () => {
    for (const ref of ['gone', '--output=x']) {
      const { code, err } = await octavo('check', 'docs', `--since=${ref}`)
      expect([code, err]).toEqual([2, expect.stringContaining(`Git has no commit "${ref}" here.`)])
    }
    const { code } = await octavo('check', 'docs', '--since', 'main', '--write-baseline')
    expect(code).toBe(2)
  })
})

describe('check.severity of docs.json', () => {
  const page = { 'index.mdx': '[a](/nowhere)\n\n![](/a.svg)\n', 'a.svg': '<svg/>' }

  test('a finding is reported with the severity that docs.json sets for its code', async () => {
    const severity = { 'link/broken': 'warning', 'content/alt-text': 'error' }
    write({ ...page, 'docs.json': configOf(['index'], { severity }) })
    const { code, out } = await octavo('check')
    expect(out).toContain('warning  index.mdx:1:5  link/broken')
    expect(out).toContain('error  index.mdx:3:1  content/alt-text')
    expect([code, out]).toEqual([1, expect.stringContaining('✗ 1 error, 1 warning in 1 page.')])
  })

  test('a finding whose code is off in docs.json is counted as suppressed', async () => {
    const severity = { 'link/broken': 'off', 'content/alt-text': 'off' }
    write({ ...page, 'docs.json': configOf(['index'], { severity }) })
    expect((await octavo('check')).out).toBe('✓ No problems in 1 page. 2 suppressed.\n')
  })

  test('an unknown code and an unknown severity in docs.json are reported', async () => {
    const severity = { 'link/brokn': 'off', 'link/broken': 'fatal' }
    write({ ...page, 'docs.json': configOf(['index'], { severity }) })
    const { out } = await octavo('check')
    expect(out).toContain('Unknown code `link/brokn`')
    expect(out).toContain('Did you mean `link/broken`?')
    expect(out).toContain('value/invalid')
    expect(out).toContain('error  index.mdx:1:5  link/broken')
  })

  test('an error that docs.json makes a warning does not fail a build', async () => {
    const severity = { 'link/broken': 'warning' }
    write({ ...page, 'docs.json': configOf(['index'], { severity }) })
    expect((await octavo('build')).code).toBe(0)
  })
})

describe('octavo check of copies of a page', () => {
  const LANGUAGES = ['de', 'en', 'fr']
  const NAMES = Array.from({ length: 11 }, (_, index) => `page-${index}`)

  beforeEach(() => {
    const pages = LANGUAGES.map((language) => ({
      language,
      pages: NAMES.map((name) => `${language}/${name}`),
    }))
    write({ 'docs/docs.json': JSON.stringify({ name: 'Site', navigation: { languages: pages } }) })
    for (const language of LANGUAGES)
      for (const name of NAMES)
        write({ [`docs/${language}/${name}.mdx`]: `[a](/${language}/gone-${name})\n` })
    write({ 'docs/en/page-0.mdx': '[a](/en/gone-page-0)\n\n[b](#no-part)\n' })
  })

  test('octavo check prints counts by kind first, and lists a finding in several copies of a page once', async () => {
    const { code, out } = await octavo('check', 'docs')
    expect(code).toBe(1)
    expect(out.split('\n\n')[0]).toBe(
      'error    link/broken  33  11 without copies\nwarning  link/anchor   1',
    )
    expect(out).toContain(
      [
        'error  de/page-0.mdx:1:5  link/broken',
        '  Broken link: `/de/gone-page-0` does not exist.',
        '',
        '  1 │ [a](/de/gone-page-0)',
        '    │     ^',
        '  Hint: Correct the link, or add a redirect from that URL.',
        '  and 2 more copies of the page: the next at en/page-0.mdx:1:5',
      ].join('\n'),
    )
    expect(out).not.toContain('fr/page-0.mdx')
    // Ten of the eleven broken links are listed. The last one has three copies.
    expect(out).toContain('error  link/broken: and 3 more')
    expect(out).toContain('✗ 33 errors, 1 warning in 33 pages.')
    expect((await octavo('check', 'docs')).out, 'a second run').toBe(out)
  })

  test('octavo check --all lists the place of each copy of a finding', async () => {
    const { out } = await octavo('check', 'docs', '--all')
    expect(out).toContain(
      '  and 2 more copies of the page:\n  en/page-9.mdx:1:5\n  fr/page-9.mdx:1:5',
    )
    expect(out).not.toContain('Use --all')
  })

  test('the JSON report has every finding, and each copy names the first one', async () => {
    const { out } = await octavo('check', 'docs', '--format', 'json')
    type Found = { readonly place: { readonly file: string }; readonly copyOf?: string }
    const { diagnostics } = JSON.parse(out) as { diagnostics: readonly Found[] }
    const found = diagnostics.filter(({ place }) => place.file.endsWith('/page-3.mdx'))
    expect(found.map(({ copyOf }) => copyOf)).toEqual([
      undefined,
      'de/page-3.mdx:1:5',
      'de/page-3.mdx:1:5',
    ])
    expect(diagnostics).toHaveLength(34)
  })

  test('the SARIF and GitHub reports have every finding, including copies', async () => {
    const { out } = await octavo('check', 'docs', '--format', 'github')
    expect(out.trim().split('\n')).toHaveLength(34)
    const sarif = JSON.parse((await octavo('check', 'docs', '--format', 'sarif')).out)
    expect(sarif.runs[0].results).toHaveLength(34)
  })
})
