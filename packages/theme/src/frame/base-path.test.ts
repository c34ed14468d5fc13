import { describe, expect, test } from 'vitest'
import { BasePath, ROOT_PATH } from './base-path.ts'

const isOwn = (address: string) => address === '/docs/own'
const base = new BasePath({ path: '/docs/', isOwn })

describe('URLs with a base path', () => {
  test.each([
    ['/', '/docs/'],
    ['/guides/start#part', '/docs/guides/start#part'],
    ['/docsearch', '/docs/docsearch'],
    // The site has a page in a folder with the same name as the base path.
    ['/docs/own', '/docs/docs/own'],
  ])('a URL of the site gets the base path: %s', (url, expected) => {
    expect(base.address(url)).toBe(expected)
  })

  test.each([
    ...['https://example.com/a', '//example.com/a', '#part', '?q=1', 'mailto:a@b.c', ''],
    ...['/docs/', '/docs/guides', '/docs/?q=1', '/docs/#part'],
  ])('an external URL, or one that has the base path, is unchanged: %s', (url) => {
    expect(base.address(url)).toBe(url)
  })
})

test('a preview at the root of its host removes the written base path from links', () => {
  const preview = new BasePath({ path: '', writtenPath: '/docs', isOwn })
  const urls = [
    '/docs/guides#a',
    '/docs',
    '/docs?q=1',
    '/guides',
    '/docs/own',
    'https://a.b/docs/c',
  ]
  expect(urls.map((url) => preview.address(url))).toEqual([
    '/guides#a',
    '/',
    '/?q=1',
    '/guides',
    '/docs/own',
    'https://a.b/docs/c',
  ])
})

describe('HTML with a base path', () => {
  test.each([
    ['<a class="x" href="/a">/a</a>', '<a class="x" href="/docs/a">/a</a>'],
    [
      '<img src="/a.png" srcset="/a.png 1x, /b.png 2x">',
      '<img src="/docs/a.png" srcset="/docs/a.png 1x, /docs/b.png 2x">',
    ],
    [
      '<style>.a>b{background:url("/a.png")}</style><p>url(/a.png)</p>',
      '<style>.a>b{background:url("/docs/a.png")}</style><p>url(/a.png)</p>',
    ],
    [
      '<video poster="/p.png" src="/v.mp4"></video>',
      '<video poster="/docs/p.png" src="/docs/v.mp4"></video>',
    ],
    [
      '<i style="--oct-mask:url(&quot;/i.svg&quot;)"></i>',
      '<i style="--oct-mask:url(&quot;/docs/i.svg&quot;)"></i>',
    ],
    ['<i style="background:url(/i.svg)"></i>', '<i style="background:url(/docs/i.svg)"></i>'],
    [
      '<button data-index="\uFDD0a\uFDD1/_octavo/a.bin\uFDD2\uFDD0b\uFDD1 /_octavo/b.bin\uFDD2">',
      '<button data-index="\uFDD0a\uFDD1/docs/_octavo/a.bin\uFDD2\uFDD0b\uFDD1 /docs/_octavo/b.bin\uFDD2">',
    ],
    [
      '<octavo-island data-module="/_octavo/islands/a.js" data-props="{&quot;href&quot;:&quot;/a&quot;}">',
      '<octavo-island data-module="/docs/_octavo/islands/a.js" data-props="{&quot;href&quot;:&quot;/a&quot;}">',
    ],
  ])('URLs in HTML get the base path: %s', (html, expected) => {
    expect(base.html(html)).toBe(expected)
    expect(ROOT_PATH.html(html)).toBe(html)
  })

  test.each([
    '<p> href="/a" src=&quot;/b&quot;</p>',
    '<code>&lt;a href="/a"&gt;</code>',
    '<a href="//example.com/a" title="/a"></a>',
    '<script type="application/ld+json">{"text":" href=\\"/a\\""}</script>',
  ])('text and other URLs are unchanged: %s', (html) => {
    expect(base.html(html)).toBe(html)
  })
})

test('URLs in stylesheets get the base path', () => {
  const css =
    '@font-face{src:url("/f.woff2")}a{background:url( /a.png ) , url(data:image/png;x), url(b.png), url(//x.y/z)}'
  expect(base.css(css)).toBe(
    '@font-face{src:url("/docs/f.woff2")}a{background:url( /docs/a.png ) , url(data:image/png;x), url(b.png), url(//x.y/z)}',
  )
})

test('links in Markdown get the base path, but code does not', () => {
  const text =
    'See [a](/a), ![b](/b.png) and [c](https://c.d/e), not `[a](/a)`.\n\n````md\n```\n[a](/a)\n```\n````\n\n- [d](/d#e)\n'
  expect(base.markdown(text)).toBe(
    'See [a](/docs/a), ![b](/docs/b.png) and [c](https://c.d/e), not `[a](/a)`.\n\n````md\n```\n[a](/a)\n```\n````\n\n- [d](/docs/d#e)\n',
  )
})
