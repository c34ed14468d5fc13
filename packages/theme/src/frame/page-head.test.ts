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

test('code in a title or description is plain text in the head', () => {
  const head = headOf({ path: 'start', title: 'Run `a` <b>', description: 'With `b`.' })
  expect(head).toContain('<title>Run a &lt;b&gt; - Acme</title>')
  expect(head).toContain('<meta name="description" content="With b.">')
})

describe('absolute URLs', () => {
  test('a site without a URL has no absolute URLs in the head', () => {
    expect(headOf({ path: 'start' })).not.toMatch(/canonical|hreflang|og:url|og:image|ld\+json/)
  })

  test("absolute URLs start with the site's URL", () => {
    const head = headOf({ path: 'start' }, {}, AT)
    expect(head).toContain('<link rel="canonical" href="https://docs.example.com/start">')
    expect(head).toContain('<meta property="og:url" content="https://docs.example.com/start">')
  })

  test('`seo.metatags.canonical` sets the canonical URL and is not written as a meta tag', () => {
    const seo = { metatags: { canonical: 'https://example.com/docs/' } }
    const head = headOf({ path: 'start' }, { seo }, AT)
    expect(head).toContain('<link rel="canonical" href="https://example.com/docs/start">')
    expect(head).not.toContain('name="canonical"')
  })

  test.each(['javascript:alert(1)', 'example.com', 'https://', ''])(
    'the configured value %j is not used as a canonical URL',
    (url) => {
      const head = headOf({ path: 'start' }, { seo: { metatags: { canonical: url } } })
      expect(head).not.toContain('canonical')
    },
  )

  test('a page with another canonical URL has no alternates and no structured data', () => {
    const frontmatter = fields({ canonical: '/other' })
    const head = headOf({ path: 'start', frontmatter }, {}, AT)
    expect(head).toContain('<link rel="canonical" href="https://docs.example.com/other">')
    expect(head).not.toMatch(/hreflang|ld\+json/)
  })

  test('`seo.trailingSlash` adds a slash to absolute URLs', () => {
    const head = headOf({ path: 'start' }, { seo: { trailingSlash: true } }, AT)
    expect(head).toContain('href="https://docs.example.com/start/"')
  })
})

describe('language alternates', () => {
  test('a page lists its translations and the default language', () => {
    const head = headOf({ path: 'start' }, {}, AT)
    const links = [...head.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)]
    expect(links.map(([, language, url]) => `${language} ${url}`)).toEqual([
      'en https://docs.example.com/start',
      'fr https://docs.example.com/fr/start',
      'zh-Hans https://docs.example.com/cn/start',
      'x-default https://docs.example.com/fr/start',
    ])
  })

  test('a page in only one language has no alternates', () => {
    expect(headOf({ path: 'only-here' }, {}, AT)).not.toContain('hreflang')
  })
})

describe('search engines', () => {
  test.each([
    ['noindex', fields({ noindex: true }), {}, 'noindex'],
    ['hidden', fields({ hidden: true }), {}, 'noindex'],
    ['hidden if seo.indexing is all', fields({ hidden: true }), { indexing: 'all' }, ''],
    [
      'noindex even if seo.indexing is all',
      fields({ noindex: true }),
      { indexing: 'all' },
      'noindex',
    ],
    ['robots', fields({ robots: 'nofollow', noindex: true }), {}, 'nofollow'],
    ['the metatags of the site', fields({}), { metatags: { robots: 'noarchive' } }, 'noarchive'],
    [
      'noindex rather than the metatags of the site',
      fields({ noindex: true }),
      { metatags: { robots: 'all' } },
      'noindex',
    ],
  ])('the robots tag follows %s', (_, frontmatter, seo, expected) => {
    const head = headOf({ path: 'start', frontmatter }, { seo })
    expect(
      [...head.matchAll(/name="robots" content="([^"]*)"/g)].map(([, value]) => value),
    ).toEqual(expected === '' ? [] : [expected])
  })

  test('the home page describes the site and its organization', () => {
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

  test('structured data cannot end its script element', () => {
    const title = '</script><script>alert(1)</script>'
    const head = headOf({ path: 'start', title }, {}, AT)
    expect(head).not.toContain('<script>alert')
    expect(head).toContain('\\u003c/script>')
  })

  test('a page with noindex has no structured data and no alternates', () => {
    const head = headOf({ path: 'start', frontmatter: fields({ noindex: true }) }, {}, AT)
    expect(head).not.toMatch(/ld\+json|hreflang/)
  })
})

describe('link previews', () => {
  const image = { url: '/_octavo/og/a.png', width: 1200, height: 630 }

  test('a generated preview image has an absolute URL and a size', () => {
    const head = headOf({ path: 'start', image }, {}, AT)
    expect(head).toContain(
      'property="og:image" content="https://docs.example.com/_octavo/og/a.png"',
    )
    expect(head).toContain('property="og:image:width" content="1200"')
    expect(head).toContain('name="twitter:card" content="summary_large_image"')
  })

  test("the author's preview image overrides the generated one", () => {
    const frontmatter = fields({}, { 'og:image': 'pictures/a.png' })
    const head = headOf({ path: 'start', image, frontmatter }, {}, AT)
    expect(head).toContain('content="https://docs.example.com/pictures/a.png"')
    expect(head).not.toContain('_octavo/og')
  })

  test('a preview image is omitted if the site has no URL', () => {
    const frontmatter = fields({}, { 'og:image': '/a.png' })
    const head = headOf({ path: 'start', image, frontmatter })
    expect(head).not.toContain('og:image')
    expect(head).toContain('name="twitter:card" content="summary"')
  })

  test('meta tags of the page override those of its folder and the site', () => {
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

  test('invalid tag names are skipped, and values are escaped', () => {
    const seo = { metatags: { 'a"b': 'x', c: '"><script>' } }
    const head = headOf({ path: 'start' }, { seo })
    expect(head).not.toContain('a"b')
    expect(head).toContain('<meta name="c" content="&quot;&gt;&lt;script&gt;">')
  })
})

describe('browsers', () => {
  test('a site without a favicon gets one with its first letter', () => {
    expect(headOf({ path: 'start' })).toContain('<link rel="icon" href="data:image/svg+xml,')
    expect(headOf({ path: 'start' }, { favicon: '/f.svg' })).toContain('href="/f.svg"')
    expect(headOf({ path: 'start' }, {}, { favicon: 'favicon.ico' })).toContain('"/favicon.ico"')
  })

  test('the policy comes before everything that it applies to', () => {
    const policy = "default-src 'self'"
    const head = headOf({ path: 'start' }, {}, { policy })
    expect(head).toMatch(
      /viewport[^>]*><meta http-equiv="Content-Security-Policy" content="default/,
    )
    expect(headOf({ path: 'start', policy: 'own' }, {}, { policy })).toContain('content="own"')
    expect(headOf({ path: 'start' })).not.toContain('http-equiv')
  })

  test('a changelog links to its feed', () => {
    expect(headOf({ path: 'start', feedUrl: '/start/rss.xml' })).toContain(
      '<link rel="alternate" type="application/rss+xml" title="Start" href="/start/rss.xml">',
    )
  })
})

test('structured data contains the authors and the date of a page', () => {
  const fields = { authors: ['Ada', { name: 'Grace' }, { nobody: 1 }], createdDate: '2026-01-02' }
  const frontmatter = { ...EMPTY_FRONTMATTER, fields }
  const head = headOf({ path: 'start', frontmatter }, {}, { siteUrl: 'https://docs.example.com' })
  expect(head).toContain('"datePublished":"2026-01-02"')
  expect(head).toContain(
    '"author":[{"@type":"Person","name":"Ada"},{"@type":"Person","name":"Grace"}]',
  )
})
