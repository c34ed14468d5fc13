import { readFileSync } from 'node:fs'
import { type ComponentNode, createPageParser, type PageNode, plainText } from '@octavo/content'
import { describe, expect, test } from 'vitest'
import { breakLines } from '../../testing/break-lines.ts'
import { testIcons } from '../../testing/few-icons.ts'
import { unsafeHtml } from '../../testing/unsafe-html.ts'
import { createHighlighter } from '../highlight/create-highlighter.ts'
import { escapeHtml } from '../markup/html.ts'
import { COMPONENT_WRITERS } from './components.ts'
import { codeLanguages, renderContent } from './render-content.ts'

const parse = createPageParser({ read: () => undefined })
const plain = { highlight: (text: string) => text.split('\n').map(escapeHtml) }

function render(mdx: string): string {
  return renderContent(parse('page.mdx', mdx).children, plain)
}

function component(name: string, props: ComponentNode['props'] = {}): ComponentNode {
  return { kind: 'component', name, props, slots: undefined, children: ['inside'] }
}

describe('rendered pages', () => {
  test('a page with every component matches its golden file', async () => {
    const file = new URL('../../testing/kitchen-sink.mdx', import.meta.url)
    const page = parse('kitchen-sink.mdx', readFileSync(file, 'utf8'))
    expect(page.diagnostics).toEqual([])
    const highlighter = createHighlighter()
    await highlighter.load(codeLanguages(page.children))
    const { highlight } = highlighter
    const html = renderContent(page.children, { highlight, icons: testIcons() })
    expect(unsafeHtml(html)).toEqual([])
    await expect(breakLines(html)).toMatchFileSnapshot('../../testing/expected/kitchen-sink.txt')
  })

  test('titles and other component texts may contain inline code', () => {
    const html = render('<Steps><Step title="Run `init` or <b>">Text</Step></Steps>')
    expect(html).toContain('Run <code>init</code> or &lt;b&gt;')
    expect(render('<Card title="A ` alone">Text</Card>')).toContain('A ` alone')
    expect(render('<Card title="`</code><i>`">Text</Card>')).toContain(
      '<code>&lt;/code&gt;&lt;i&gt;</code>',
    )
  })

  test('a column of sentences is wide in tables of three or more columns', () => {
    const sentence = 'How many characters a title may have before it is cut off.'
    const table = (title: string, more: string) =>
      render(
        `| name | limit | ${title} |${more}\n|---|---|---|${more && '---|'}\n| a | 1 | ${sentence} |`,
      )
    expect(table('means', '')).toContain('<th>limit</th><th class="oct-wide">means</th>')
    expect(table('means', ' x |')).toContain('<th class="oct-wide">means</th><th>x</th>')
    expect(render(`| name | means |\n|---|---|\n| a | ${sentence} |`)).toContain('<th>means</th>')
  })

  test('a rendered page contains all its words', () => {
    const file = new URL('../../testing/kitchen-sink.mdx', import.meta.url)
    const page = parse('kitchen-sink.mdx', readFileSync(file, 'utf8'))
    const html = renderContent(page.children, plain).replaceAll(/<[^>]*>/g, ' ')
    const words = plainText(page.children).match(/[A-Za-z]{4,}/g) ?? []
    // These words are not visible text: they are alternative texts, types and content for agents.
    const elsewhere = new Set(['boat', 'Framed', 'looks', 'warning', 'agents'])
    expect(words.filter((word) => !html.includes(word) && !elsewhere.has(word))).toEqual([])
  })
})

describe('components', () => {
  test('every component shows its children', () => {
    for (const name of COMPONENT_WRITERS.keys()) {
      expect(renderContent([component(name)], plain), name).toContain('inside')
    }
  })

  test('an unknown component shows its children', () => {
    expect(renderContent([component('Unheard')], plain)).toBe('inside')
  })

  test('an image with light and dark sources has one element for each', () => {
    const html = render('<Image lightSrc="/day.svg" darkSrc="/night.svg" alt="The harbour" />')
    expect(html).toMatch(/src="\/day\.svg"[^>]*oct-light-only/)
    expect(html).toMatch(/src="\/night\.svg"[^>]*oct-dark-only/)
  })

  test('content for agents is not rendered', () => {
    expect(renderContent([component('Visibility', { for: 'agents' })], plain)).toBe('')
  })

  test('a component accepts markup as a prop', () => {
    const title: readonly PageNode[] = [
      { kind: 'element', tag: 'em', attributes: undefined, children: ['Soft'] },
    ]
    const node: ComponentNode = { ...component('Accordion'), slots: { title } }
    expect(renderContent([node], plain)).toContain('<em>Soft</em>')
  })

  test('components share no ID with a heading or with each other', () => {
    const html = render(
      '<Accordion title="Same">a</Accordion>\n\n<Accordion title="Same">b</Accordion>\n\n## Same\n',
    )
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1])
    expect(ids).toEqual(['same-2', 'same-3', 'same'])
  })

  test('an island keeps its props as data', () => {
    const island: PageNode = {
      kind: 'island',
      name: 'Counter',
      source: { file: 'snippets/counter.jsx', name: 'Counter' },
      props: { start: 1, text: '"><img onerror=x>' },
      slots: undefined,
      children: ['1'],
    }
    expect(renderContent([island], plain)).toBe(
      '<octavo-island data-name="Counter" data-props="{&quot;start&quot;:1,&quot;text&quot;:&quot;\\&quot;&gt;&lt;img onerror=x&gt;&quot;}">1</octavo-island>',
    )
  })
})

test('an island that only adds event handlers has no box in the layout and keeps its element', () => {
  const island: PageNode = {
    kind: 'island',
    name: 'button',
    source: { file: 'page.mdx', name: 'Island_1_1' },
    code: { text: '() => ({})', kind: 'handlers', isInline: true, line: 1, column: 1 },
    props: {},
    slots: undefined,
    children: [{ kind: 'element', tag: 'button', attributes: undefined, children: ['Go'] }],
  }
  expect(renderContent([island], plain)).toBe(
    '<octavo-island data-name="Island_1_1" data-props="{}" data-attach style="display:contents"><button>Go</button></octavo-island>',
  )
})

describe('links and images', () => {
  test('the caller resolves the URLs of links and images', () => {
    const context = {
      ...plain,
      resolveLink: (url: string) => `/docs${url}`,
      resolveAsset: (url: string) => `/files${url}`,
    }
    const { children } = parse('page.mdx', '[a](/b) ![c](/d.png)\n\n<Card title="e" href="/f" />')
    const html = renderContent(children, context)
    expect(html).toContain('href="/docs/b"')
    expect(html).toContain('src="/files/d.png"')
    expect(html).toContain('href="/docs/f"')
  })

  test('links that run code lose their href', () => {
    const link: PageNode = {
      kind: 'element',
      tag: 'a',
      attributes: { href: 'java\tscript:alert(1)', onclick: 'alert(1)' },
      children: ['text'],
    }
    expect(renderContent([link], plain)).toBe('<a>text</a>')
    expect(renderContent([component('Card', { href: 'javascript:alert(1)' })], plain)).not.toMatch(
      /href=/,
    )
  })

  test('links to other sites have noopener', () => {
    expect(render('[a](https://example.com)')).toContain('rel="noopener"')
    expect(render('[a](/b)')).not.toContain('rel=')
  })
})

describe('images', () => {
  test('the first image loads immediately, later images lazily', () => {
    const html = render('![a](/a.png)\n\n![b](/b.png)')
    expect(html).toContain('<img src="/a.png" alt="a" data-oct="zoom" fetchpriority="high"')
    expect(html).toContain('<img src="/b.png" alt="b" data-oct="zoom" loading="lazy"')
  })

  test('an image far below the top loads lazily, even if it is the first', () => {
    expect(render(`${'word '.repeat(500)}\n\n![a](/a.png)`)).toContain('loading="lazy"')
  })

  test('an image can be enlarged unless it has noZoom, is a link, or is small', () => {
    expect(render('<img src="/a.png" />')).toContain('data-oct="zoom"')
    expect(render('<img src="/a.png" noZoom />')).not.toContain('zoom')
    expect(render('[![a](/a.png)](/b)')).not.toContain('zoom')
    expect(render('<img src="/a.png" width="20" />')).not.toContain('zoom')
    expect(render('<img src="/a.png" width="80%" />')).toContain('data-oct="zoom"')
  })

  test('an image with the download action has a download link', () => {
    expect(render('<img src="/a.png" actions="download" />')).toContain(
      '<a class="oct-download" href="/a.png" download aria-label="Download"></a>',
    )
  })
})

describe('videos and iframes', () => {
  test('a video has controls', () => {
    expect(render('<video src="/a.mp4"></video>')).toContain(' controls ')
  })

  test('an autoplaying video is muted and loops inside a frame', () => {
    const film = '<video src="/a.mp4" autoPlay></video>'
    expect(render(film)).toContain('<video muted playsinline src="/a.mp4" autoplay>')
    expect(render(`<Frame>${film}</Frame>`)).toContain('<video muted playsinline loop ')
  })

  test('an iframe keeps its aspect ratio and has a title', () => {
    const html = render(
      '<iframe src="https://www.example.com/x" width="560" height="315"></iframe>',
    )
    expect(html).toContain('style="aspect-ratio: 560 / 315"')
    expect(html).toContain('title="example.com"')
  })
})

describe('formulas', () => {
  test('a formula is shown as source if there is no renderer', () => {
    expect(render('$x < y$')).toContain('<code class="oct-math-source">x &lt; y</code>')
  })
})

describe('cards', () => {
  test('a card is linked by its title, its call to action, or its text', () => {
    expect(render('<Card title="T" href="/a" cta="C" />')).toContain(
      '<p class="oct-card-title"><a class="oct-card-link" href="/a">T</a></p><p class="oct-card-cta">C</p>',
    )
    expect(render('<Card href="/a" cta="C" />')).toContain(
      '<p class="oct-card-cta"><a class="oct-card-link" href="/a">C</a></p>',
    )
    expect(render('<Card href="/a">Text</Card>')).toContain(
      '<a class="oct-card-link" href="/a" aria-labelledby="card"></a>',
    )
  })

  test('a disabled card has no link', () => {
    expect(render('<Card title="T" href="/a" disabled />')).not.toContain('href')
  })
})

describe('controls that need a script', () => {
  test('controls that need a script are hidden initially', () => {
    const html = render(
      '```js\na\n```\n\n<Update label="A" tags={["x"]}>a</Update>\n\n<View title="B">b</View>\n\n<View title="C">c</View>',
    )
    const controls = [...html.matchAll(/<[^>]* data-oct="(copy|tags|views)"[^>]*>/g)]
    expect(controls.map((match) => match[1])).toEqual(['copy', 'tags', 'views'])
    expect(controls.every(([tag]) => tag.includes(' hidden'))).toBe(true)
  })

  test('code with nocopy has no copy button', () => {
    expect(render('```js nocopy\na\n```')).not.toContain('oct-copy')
  })
})

describe('code', () => {
  test('code is split into lines only if a line has options', () => {
    expect(render('```js\na\nb\n```')).toContain('<code>a\nb</code>')
    expect(render('```js {2}\na\nb\n```')).toContain(
      '<span class="line">a\n</span><span class="line highlight">b\n</span>',
    )
  })

  test('expandable code is folded only if it is long', () => {
    const long = Array.from({ length: 12 }, () => 'x').join('\n')
    expect(render(`\`\`\`js expandable\n${long}\n\`\`\``)).toContain('oct-folded')
    expect(render(`\`\`\`js expandable\nx\n\`\`\``)).not.toContain('oct-folded')
  })
})
