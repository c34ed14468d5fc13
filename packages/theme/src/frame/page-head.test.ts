import {
  EMPTY_FRONTMATTER,
  type Frontmatter,
  NO_SPECIFICATIONS,
  parseConfig,
  resolveNavigation,
} from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { createFrame } from './create-frame.ts'
import type { FrameInput, PageView } from './frame-input.ts'

type Written = Readonly<Record<string, unknown>>

const LANGUAGES = {
  languages: [
    { language: 'en', pages: ['index', 'start', 'only-here'] },
    { language: 'fr', default: true, pages: ['fr/index', 'fr/start'] },
    { language: 'cn', pages: ['cn/index', 'cn/start'] },
  ],
}

function headOf(
  page: Partial<PageView> & { readonly path: string },
  site: Written = {},
  input: Partial<FrameInput> = {},
): string {
  const text = JSON.stringify({ name: 'Acme', navigation: LANGUAGES, ...site })
  const { config } = parseConfig({ file: 'docs.json', text, readPart: () => undefined })
  if (config === undefined) throw new Error('no configuration')
  const { navigation } = resolveNavigation({
    written: config.navigation,
    pages: new Map(
      ['index', 'start', 'only-here', 'fr/index', 'fr/start', 'cn/index', 'cn/start'].map(
        (path) => [
          path,
          {
            path,
            file: `${path}.mdx`,
            frontmatter: EMPTY_FRONTMATTER,
            isPageOnlyWhenListed: false,
          },
        ],
      ),
    ),
    ...NO_SPECIFICATIONS,
    hasFile: () => true,
    defaults: undefined,
  })
  const assets = { styles: [], parts: {}, authorStyles: [], scripts: [] }
  const frame = createFrame({ config, navigation, assets, ...input })
  const html = frame.renderPage({
    url: `/${page.path}`,
    title: 'Start',
    content: '',
    headings: [],
    entry: navigation.byPath.get(page.path),
    frontmatter: EMPTY_FRONTMATTER,
    ...page,
  })
  return html.slice(html.indexOf('<head>'), html.indexOf('</head>'))
}

const AT = { siteUrl: 'https://docs.example.com/' }
const fields = (fields: Frontmatter['fields'], metadata: Written = {}): Frontmatter => ({
  fields,
  metadata,
})

test('code in a title or a description is plain text in the head', () => {
  const head = headOf({ path: 'start', title: 'Run `a` <b>', description: 'With `b`.' })
  expect(head).toContain('<title>Run a &lt;b&gt; - Acme</title>')
  expect(head).toContain('<meta name="description" content="With b.">')
})

describe('addresses that must be whole', () => {
  test('without the address of the site there are none', () => {
    expect(headOf({ path: 'start' })).not.toMatch(/canonical|hreflang|og:url|og:image|ld\+json/)
  })

  test('they follow from the address that the site is built for', () => {
    const head = headOf({ path: 'start' }, {}, AT)
    expect(head).toContain('<link rel="canonical" href="https://docs.example.com/start">')
    expect(head).toContain('<meta property="og:url" content="https://docs.example.com/start">')
  })

  test('`seo.metatags.canonical` is where search engines shall look, and no tag', () => {
    const seo = { metatags: { canonical: 'https://example.com/docs/' } }
    const head = headOf({ path: 'start' }, { seo }, AT)
    expect(head).toContain('<link rel="canonical" href="https://example.com/docs/start">')
    expect(head).not.toContain('name="canonical"')
  })

  test.each(['javascript:alert(1)', 'example.com', 'https://', ''])('%j is no address', (url) => {
    const head = headOf({ path: 'start' }, { seo: { metatags: { canonical: url } } })
    expect(head).not.toContain('canonical')
  })

  test('a page may name another one instead of itself, and says nothing more then', () => {
    const frontmatter = fields({ canonical: '/other' })
    const head = headOf({ path: 'start', frontmatter }, {}, AT)
    expect(head).toContain('<link rel="canonical" href="https://docs.example.com/other">')
    expect(head).not.toMatch(/hreflang|ld\+json/)
  })

  test('`seo.trailingSlash` ends them with a slash', () => {
    const head = headOf({ path: 'start' }, { seo: { trailingSlash: true } }, AT)
    expect(head).toContain('href="https://docs.example.com/start/"')
  })
})

describe('languages', () => {
  test('a page names itself, its counterparts, and the one for everybody else', () => {
    const head = headOf({ path: 'start' }, {}, AT)
    const links = [...head.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)]
    expect(links.map(([, language, url]) => `${language} ${url}`)).toEqual([
      'en https://docs.example.com/start',
      'fr https://docs.example.com/fr/start',
      'zh-Hans https://docs.example.com/cn/start',
      'x-default https://docs.example.com/fr/start',
    ])
  })

  test('a page that is in one language only names none', () => {
    expect(headOf({ path: 'only-here' }, {}, AT)).not.toContain('hreflang')
  })
})

describe('search engines', () => {
  test.each([
    ['noindex', fields({ noindex: true }), {}, 'noindex'],
    ['hidden', fields({ hidden: true }), {}, 'noindex'],
    ['hidden, where all pages shall be found', fields({ hidden: true }), { indexing: 'all' }, ''],
    [
      'noindex, where all shall be found',
      fields({ noindex: true }),
      { indexing: 'all' },
      'noindex',
    ],
    ['robots', fields({ robots: 'nofollow', noindex: true }), {}, 'nofollow'],
    ['the site', fields({}), { metatags: { robots: 'noarchive' } }, 'noarchive'],
    [
      'noindex beside the site',
      fields({ noindex: true }),
      { metatags: { robots: 'all' } },
      'noindex',
    ],
  ])('%s', (_, frontmatter, seo, expected) => {
    const head = headOf({ path: 'start', frontmatter }, { seo })
    expect(
      [...head.matchAll(/name="robots" content="([^"]*)"/g)].map(([, value]) => value),
    ).toEqual(expected === '' ? [] : [expected])
  })

  test('the home page says what the site is', () => {
    const seo = {
      organization: { name: 'Acme Inc', logo: '/logo.png', sameAs: ['https://x.com/a'] },
    }
    const head = headOf({ path: 'index', url: '/' }, { seo }, AT)
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(head)?.[1] ?? ''
    expect(JSON.parse(data)['@graph']).toMatchObject([
      { '@type': 'WebSite', url: 'https://docs.example.com/', name: 'Acme' },
      { '@type': 'Organization', name: 'Acme Inc', logo: 'https://docs.example.com/logo.png' },
    ])
  })

  test('data cannot end its element', () => {
    const title = '</script><script>alert(1)</script>'
    const head = headOf({ path: 'start', title }, {}, AT)
    expect(head).not.toContain('<script>alert')
    expect(head).toContain('\\u003c/script>')
  })

  test('a page that is kept out of the index carries no data for it', () => {
    const head = headOf({ path: 'start', frontmatter: fields({ noindex: true }) }, {}, AT)
    expect(head).not.toMatch(/ld\+json|hreflang/)
  })
})

describe('what others show of a page', () => {
  const image = { url: '/_octavo/og/a.png', width: 1200, height: 630 }

  test('a picture of ours has a whole address and a size', () => {
    const head = headOf({ path: 'start', image }, {}, AT)
    expect(head).toContain(
      'property="og:image" content="https://docs.example.com/_octavo/og/a.png"',
    )
    expect(head).toContain('property="og:image:width" content="1200"')
    expect(head).toContain('name="twitter:card" content="summary_large_image"')
  })

  test('a picture of the author wins', () => {
    const frontmatter = fields({}, { 'og:image': 'pictures/a.png' })
    const head = headOf({ path: 'start', image, frontmatter }, {}, AT)
    expect(head).toContain('content="https://docs.example.com/pictures/a.png"')
    expect(head).not.toContain('_octavo/og')
  })

  test('a picture without a whole address is of no use, and left out', () => {
    const frontmatter = fields({}, { 'og:image': '/a.png' })
    const head = headOf({ path: 'start', image, frontmatter })
    expect(head).not.toContain('og:image')
    expect(head).toContain('name="twitter:card" content="summary"')
  })

  test('tags of the page win over its folder, and that over the site', () => {
    const seo = {
      metatags: { 'og:type': 'article', 'og:locale': 'en_GB', author: 'Site' },
      paths: [{ path: '/start', metatags: { author: 'Folder' } }],
    }
    const frontmatter = fields({}, { 'og:type': 'book', other: 'x' })
    const head = headOf({ path: 'start', frontmatter }, { seo })
    expect(head).toContain('<meta property="og:type" content="book">')
    expect(head).toContain('<meta property="og:locale" content="en_GB">')
    expect(head).toContain('<meta name="author" content="Folder">')
    expect(head).not.toMatch(/"other"|Site"|article/)
  })

  test('a name that is no name is left out, and values are text', () => {
    const seo = { metatags: { 'a"b': 'x', c: '"><script>' } }
    const head = headOf({ path: 'start' }, { seo })
    expect(head).not.toContain('a"b')
    expect(head).toContain('<meta name="c" content="&quot;&gt;&lt;script&gt;">')
  })
})

describe('browsers', () => {
  test('a site without an icon gets its letter in its color', () => {
    expect(headOf({ path: 'start' })).toContain('<link rel="icon" href="data:image/svg+xml,')
    expect(headOf({ path: 'start' }, { favicon: '/f.svg' })).toContain('href="/f.svg"')
    expect(headOf({ path: 'start' }, {}, { favicon: 'favicon.ico' })).toContain('"/favicon.ico"')
  })

  test('the policy stands before everything that it is about', () => {
    const policy = "default-src 'self'"
    const head = headOf({ path: 'start' }, {}, { policy })
    expect(head).toMatch(
      /viewport[^>]*><meta http-equiv="Content-Security-Policy" content="default/,
    )
    expect(headOf({ path: 'start', policy: 'own' }, {}, { policy })).toContain('content="own"')
    expect(headOf({ path: 'start' })).not.toContain('http-equiv')
  })

  test('a changelog names its feed', () => {
    expect(headOf({ path: 'start', feedUrl: '/start/rss.xml' })).toContain(
      '<link rel="alternate" type="application/rss+xml" title="Start" href="/start/rss.xml">',
    )
  })
})

test('search engines learn who wrote a page, and when', () => {
  const fields = { authors: ['Ada', { name: 'Grace' }, { nobody: 1 }], createdDate: '2026-01-02' }
  const frontmatter = { ...EMPTY_FRONTMATTER, fields }
  const head = headOf({ path: 'start', frontmatter }, {}, { siteUrl: 'https://docs.example.com' })
  expect(head).toContain('"datePublished":"2026-01-02"')
  expect(head).toContain(
    '"author":[{"@type":"Person","name":"Ada"},{"@type":"Person","name":"Grace"}]',
  )
})
