import { describe, expect, test } from 'vitest'
import { createPageCompiler } from './compile-page.ts'
import type { Origins } from './origins.ts'

/** Returns the origins of a page with this content. */
async function originsOf(mdx: string): Promise<Origins | undefined> {
  const compile = createPageCompiler({
    read: (path) => (path === 'page.mdx' ? mdx : undefined),
    factsOf: () => ({ exists: false, size: undefined }),
    variables: {},
    iconLibrary: undefined,
  })
  return (await compile('page.mdx')).origins
}

describe('origins that a page may load from', () => {
  test.each([
    ['![](https://a.example/x.png?y=1&z=2)', { images: ['https://a.example'] }],
    ['<img src="//a.example/x.png" />', { images: ['https://a.example'] }],
    ['<img src="HTTP://A.example:8080/x.png" />', { images: ['http://a.example:8080'] }],
    [
      '<img src="/x.png" srcset="https://a.example/x,y.png 1x, https://b.example/y 2x" />',
      { images: ['https://a.example', 'https://b.example'] },
    ],
    [
      '<picture><source srcset="https://a.example/x.avif" /><img src="/x.png" /></picture>',
      { images: ['https://a.example'], media: [] },
    ],
    [
      '<video poster="https://a.example/p.jpg"><source src="https://b.example/v.mp4" /></video>',
      { images: ['https://a.example'], media: ['https://b.example'] },
    ],
    [
      '<iframe src="https://www.film.example/1"></iframe>',
      { frames: ['https://film.example', 'https://www.film.example'] },
    ],
    ['<Card title="T" img="https://a.example/x.png" />', { images: ['https://a.example'] }],
    ['<Card title="T" icon="https://a.example/x.svg" />', { images: ['https://a.example'] }],
    [
      '<Image src="/x.png" darkSrc="https://a.example/dark.png" />',
      { images: ['https://a.example'] },
    ],
    [
      '<Tabs><Tab title="One"><img src="https://a.example/x.png" /></Tab></Tabs>',
      { images: ['https://a.example'] },
    ],
    [
      '<Frame caption={<img src="https://a.example/x.png" />}>x</Frame>',
      { images: ['https://a.example'] },
    ],
  ])('the external origins of %s are recorded', async (mdx, expected) => {
    expect(await originsOf(mdx)).toMatchObject(expected)
  })

  test.each([
    '[a](https://a.example/)',
    '<Card title="T" href="https://a.example/">x</Card>',
    '<img src="/x.png" /> <img src="data:image/png;base64,AAAA" />',
    '```html\n<img src="https://a.example/x.png">\n```',
    '<p title={`<img src="https://a.example/x.png">`}>text</p>',
    '<Visibility for="agents">![](https://a.example/x.png)</Visibility>',
    // This URL is removed, and the author gets a diagnostic.
    '<div style={{ background: "url(https://a.example/x.png)" }}>text</div>',
  ])('no external origins are recorded for %s', async (mdx) => {
    expect(await originsOf(mdx)).toBeUndefined()
  })
})
