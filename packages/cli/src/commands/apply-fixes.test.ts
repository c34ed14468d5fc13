import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runIn, writeFiles } from '../../testing/run-in.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-fixes-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

async function fix(files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const site = { 'docs.json': '{"name": "Site", "navigation": {"pages": ["index"]}}\n', ...files }
  writeFiles(root, site)
  return octavo('check', '--fix', ...options)
}

const octavo = (...args: readonly string[]) => runIn(root, args)

describe('every exact hint is a fix', () => {
  test.each([
    ['the case of a component', '<tip>Water it.</tip>', '<Tip>Water it.</Tip>'],
    ['a tag that is never closed', 'One<br>two <hr > three', 'One<br />two <hr /> three'],
    ['`>` in an attribute', '<img alt="a > b" src="/a.svg">', '<img alt="a > b" src="/a.svg" />'],
    ['a component', '<Calout icon="leaf">x</Calout>', '<Callout icon="leaf">x</Callout>'],
    ['a prop', '<Card titel="A" herf="/" />', '<Card title="A" href="/" />'],
    ['an icon', '<Icon icon="rokcet" />', '<Icon icon="rocket" />'],
    ['a link', '[Water](/guides/waterng#more)', '[Water](/guides/watering#more)'],
    ['the case of a link', '[Water](/Guides/watering)', '[Water](/guides/watering)'],
    ['an anchor', '[More](/guides/watering#moer)', '[More](/guides/watering#more)'],
    ['a file', '![A](/picure.svg)', '![A](/picture.svg)'],
    ['a brace', 'The path /pots/{id} and {"a": 1}.', 'The path /pots/\\{id} and \\{"a": 1}.'],
    ['two braces', 'Write {{ name }}.', 'Write \\{\\{ name }}.'],
    ['a literal `<`', 'Takes <1 ms for <your-key>.', 'Takes \\<1 ms for \\<your-key>.'],
    ['syntax of another tool', ':::tip\nA\n:::', '<Tip>\nA\n</Tip>'],
  ])('a fix corrects %s', async (_, written, meant) => {
    const files = {
      'docs.json': '{"name": "Site", "navigation": {"pages": ["index", "guides/watering"]}}\n',
      'guides/watering.mdx': '## More\n\ntext\n',
      'a.svg': '<svg/>',
      'picture.svg': '<svg/>',
    }
    const { err, out, code } = await fix({ ...files, 'index.mdx': `${written}\n` })
    expect({ text: read('index.mdx'), out, code }).toMatchObject({ text: `${meant}\n`, code: 0 })
    expect(err).toMatch(/\d problems? fixed in 1 file\.\n$/)
    expect((await octavo('check', '--fix')).err).toBe('0 problems fixed in 0 files.\n')
  })

  test.each([
    ['a key', '"navigation": {"pges": ["index"]}', '"navigation": {"pages": ["index"]}'],
    ['a word', '"theme": "alomnd",', '"theme": "almond",'],
    ['a trailing comma', '"search": {"prompt": "Ask",},', '"search": {"prompt": "Ask"},'],
    ['a key without quotes', 'description: "Plants",', '"description": "Plants",'],
    ['single quotes', '"description": \'Plants\',', '"description": "Plants",'],
    ['a missing comma', '"description": "Plants"\n', '"description": "Plants",\n'],
    ['an extension', '"pages": ["index.mdx"]', '"pages": ["index"]'],
    ['a page', '"pages": ["indx"]', '"pages": ["index"]'],
  ])('a fix corrects %s in docs.json', async (_, written, meant) => {
    const isNavigation = written.includes('"index') || written.includes('"indx')
    const around = (part: string) => {
      if (part.startsWith('"pages"')) return `{"name": "Site", "navigation": {${part}}}\n`
      return isNavigation
        ? `{"name": "Site", ${part}}\n`
        : `{"name": "Site", ${part} "navigation": {"pages": ["index"]}}\n`
    }
    await fix({ 'docs.json': around(written), 'index.mdx': 'Text\n' })
    expect(read('docs.json')).toBe(around(meant))
  })

  test('a fix corrects a field of the frontmatter, unless the correct field is also set', async () => {
    const page = '---\ntitel: Start\n"descripton": Plants\ndescriptin: More\n---\n\nText\n'
    await fix({ 'index.mdx': page })
    expect(read('index.mdx')).toBe(
      '---\ntitle: Start\n"description": Plants\ndescriptin: More\n---\n\nText\n',
    )
  })

  test.each([
    ['another number', '[Old](/v2/start)'],
    ['a typo that is equally close to two pages', '[Near](/guides/poat)'],
    ['a short component', '<Tbs>x</Tbs>'],
    ['two typos', '<Card ttiel="A" href="/" /> <Caluot>x</Caluot>'],
    ['a tag that may be a component', 'A <Watering and more.'],
    ['an element that is not closed', '- <b>bold\n\ntext'],
  ])('no fix is offered for %s', async (_, written) => {
    const pages = ['index', 'v1/start', 'guides/post', 'guides/poet']
    const config = { name: 'Site', navigation: { pages } }
    const files = { 'v1/start.mdx': 'a\n', 'guides/post.mdx': 'b\n', 'guides/poet.mdx': 'c\n' }
    const { err } = await fix({
      ...files,
      'docs.json': JSON.stringify(config),
      'index.mdx': `${written}\n`,
    })
    expect(err).toBe('0 problems fixed in 0 files.\n')
    expect(read('index.mdx')).toBe(`${written}\n`)
  })
})

describe('several fixes in a file', () => {
  test('fixes in the same line and inside each other are all applied', async () => {
    const { err } = await fix({
      'index.mdx':
        'A <br> and {id} and <br>\n\n<tip>\n<warning>\n:::note\nB<br>\n:::\n</warning>\n</tip>\n',
    })
    expect(read('index.mdx')).toBe(
      'A <br /> and \\{id} and <br />\n\n<Tip>\n<Warning>\n<Note>\nB<br />\n</Note>\n</Warning>\n</Tip>\n',
    )
    expect(err).toContain('index.mdx:1\n- A <br> and {id} and <br>\n')
    expect(err).toContain('fixed in 1 file.\n')
  })

  test('fixes keep Windows line endings, a byte order mark and the frontmatter', async () => {
    const text =
      '\ufeff---\r\ntitle: "A"\r\n---\r\n\r\nOne<br>two\r\n\r\n<info>\r\nB\r\n</info>\r\n'
    await fix({ 'index.mdx': text, 'docs.json': '\ufeff{"navigation": {"pages": ["index"]}}\r\n' })
    expect(read('index.mdx')).toBe(
      '\ufeff---\r\ntitle: "A"\r\n---\r\n\r\nOne<br />two\r\n\r\n<Info>\r\nB\r\n</Info>\r\n',
    )
    expect(read('docs.json')).toBe('{"navigation": {"pages": ["index"]}}\r\n')
  })

  test('a snippet that several pages use is fixed once, and the names of its props are not escaped', async () => {
    const page = 'import Part from \'/snippets/part.mdx\'\n\n<Part name="Fern" />\n'
    const { err } = await fix({
      'docs.json': '{"name": "Site", "navigation": {"pages": ["index", "other"]}}\n',
      'index.mdx': page,
      'other.mdx': page.replace(' name="Fern"', ''),
      'snippets/part.mdx': 'Water {name}<br>daily.\n',
    })
    expect(read('snippets/part.mdx')).toBe('Water {name}<br />daily.\n')
    expect(err).toContain('1 problem fixed in 1 file.\n')
  })

  test('a long list of fixes is truncated, and --all prints all of it', async () => {
    const page = 'a<br>b\n\n'.repeat(60)
    const { err } = await fix({ 'index.mdx': page })
    expect(err).toContain('and 10 more. Use --all to list changes, or git diff.')
    expect((await fix({ 'index.mdx': page }, '--all')).err).not.toContain('more.')
  })
})
