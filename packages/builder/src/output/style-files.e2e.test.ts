/** Checks stylesheets and directories in built sites. */
import { cpSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Files, TemporarySite } from '../../testing/temporary-site.ts'

const FILES: Files = {
  'docs.json': JSON.stringify({
    theme: 'linden',
    navigation: {
      groups: [{ group: 'All', root: 'start', directory: 'card', pages: ['plain', 'cards'] }],
    },
  }),
  'start.mdx': '---\ntitle: Start\n---\nText.\n',
  'plain.mdx': '---\ntitle: Plain\ndescription: Before.\n---\n# Text\n\n```ts\nlet a = 1\n```\n',
  'cards.mdx': '---\ntitle: Cards\n---\n<Card title="x">Text.</Card>\n',
  'own.css': 'main { color: red; }\n',
}

const stylesOf = (site: TemporarySite, page: string) =>
  [...site.read(`${page}/index.html`).matchAll(/rel="stylesheet" href="\/([^"]+)"/g)].map(
    (match) => match[1]?.replace(/-[\da-f]{12}/, '') ?? '',
  )

describe('built stylesheets', () => {
  test("a page links only the stylesheets that it uses, and the author's stylesheet is the last one", async () => {
    using site = new TemporarySite(FILES)
    await site.build()
    expect(stylesOf(site, 'plain')).toEqual(['_octavo/styles/theme.css', 'own.css'])
    expect(stylesOf(site, 'cards')).toEqual([
      '_octavo/styles/theme.css',
      '_octavo/styles/components.css',
      'own.css',
    ])
    expect(stylesOf(site, 'start')).toEqual([
      '_octavo/styles/theme.css',
      '_octavo/styles/directory.css',
      'own.css',
    ])
  })

  test('the theme stylesheet is minified and contains one look, and author files are unchanged', async () => {
    using site = new TemporarySite(FILES)
    await site.build()
    const path =
      Object.keys(site.hashes()).find((file) => file.startsWith('_octavo/styles/theme-')) ?? ''
    const css = site.read(path)
    expect(css).not.toMatch(/\/\*|\n {2}/)
    expect(css).toContain('"## "')
    expect(css).not.toContain('Iowan')
    expect(site.read('own.css')).toBe(FILES['own.css'])
  })
})

describe("an author's stylesheets and scripts", () => {
  const loadedBy = (site: TemporarySite) =>
    [...site.read('plain/index.html').matchAll(/(?:href|src)="\/([^"_][^"]*\.(?:css|js))"/g)].map(
      ([, path]) => path ?? '',
    )

  test('author files are loaded by names with a hash, and are also available at their own paths', async () => {
    using site = new TemporarySite({ ...FILES, 'parts/own.js': 'document.title = "x"\n' })
    await site.build()
    const before = loadedBy(site)
    expect(before).toEqual([
      expect.stringMatching(/^parts\/own-[\da-f]{12}\.js$/),
      expect.stringMatching(/^own-[\da-f]{12}\.css$/),
    ])
    for (const path of before)
      expect(site.read(path)).toBe(site.read(path.replace(/-[\da-f]{12}/, '')))
    site.write({ 'own.css': 'main { color: blue; }\n' })
    await site.build()
    const [script, styles = ''] = loadedBy(site)
    expect(script).toBe(before[0])
    expect(styles).not.toBe(before[1])
    expect(site.read(styles)).toContain('blue')
  })

  test('a script that another one imports keeps its name, so that it does not run twice', async () => {
    using site = new TemporarySite({
      ...FILES,
      'a.js': "import './b.js'\n",
      'b.js': 'globalThis.count = (globalThis.count ?? 0) + 1\n',
    })
    await site.build()
    expect(loadedBy(site)).toEqual([
      expect.stringMatching(/^a-[\da-f]{12}\.js$/),
      'b.js',
      expect.stringMatching(/^own-[\da-f]{12}\.css$/),
    ])
  })
})

describe('the default typeface', () => {
  const PRELOAD =
    /<link rel="preload" href="\/(_octavo\/styles\/inter-latin-[\da-f]{12}\.woff2)" as="font" crossorigin>/

  test('the default typeface is a small file of the site that pages preload', async () => {
    using site = new TemporarySite(FILES)
    await site.build()
    const path = PRELOAD.exec(site.read('plain/index.html'))?.[1] ?? ''
    const theme = Object.keys(site.hashes()).find((file) => /styles\/theme-/.test(file)) ?? ''
    // The stylesheet and the font are in the same folder.
    expect(site.read(theme)).toContain(`src:url(${path.split('/').at(-1)})`)
    expect(statSync(`${site.root}/out/${path}`).size).toBeLessThan(50_000)
  })

  test.each([
    [{ family: 'Brand Sans', source: '/brand.woff2' }, false],
    [{ body: { family: 'Brand Sans', source: '/brand.woff2' } }, false],
    [{ heading: { family: 'Brand Sans', source: '/brand.woff2' } }, true],
    [{ family: 'Inter' }, true],
  ])(
    'the default typeface is preloaded unless docs.json replaces it: %j',
    async (fonts, isLoaded) => {
      const docs = { ...JSON.parse(FILES['docs.json'] ?? ''), fonts }
      using site = new TemporarySite({ ...FILES, 'docs.json': JSON.stringify(docs) })
      await site.build()
      expect(PRELOAD.test(site.read('plain/index.html'))).toBe(isLoaded)
    },
  )
})

test('a directory page is updated when the descriptions of its pages change', async () => {
  using site = new TemporarySite(FILES)
  await site.build()
  expect(site.read('start/index.html')).toContain('<p>Before.</p>')
  site.write({ 'plain.mdx': '---\ntitle: Plain\ndescription: After.\n---\n' })
  await site.build()
  expect(site.read('start/index.html')).toContain('<p>After.</p>')
  using other = new TemporarySite()
  cpSync(site.folder, other.folder, { recursive: true })
  await other.build()
  expect(site.hashes()).toEqual(other.hashes())
})
