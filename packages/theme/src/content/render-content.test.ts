import { readFileSync } from 'node:fs'
import { type ComponentNode, createPageParser, type PageNode, plainText } from '@octavo/content'
import { describe, expect, test } from 'vitest'
import { createHighlighter } from '../highlight/create-highlighter.ts'
import { escapeHtml } from '../html.ts'
import { breakLines } from '../testing/break-lines.ts'
import { fewIcons } from '../testing/few-icons.ts'
import { unsafeHtml } from '../testing/unsafe-html.ts'
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

describe('a page', () => {
  test('with every component reads as the golden says', async () => {
    const file = new URL('../testing/kitchen-sink.mdx', import.meta.url)
    const page = parse('kitchen-sink.mdx', readFileSync(file, 'utf8'))
    expect(page.diagnostics).toEqual([])
    const highlighter = createHighlighter()
    await highlighter.load(codeLanguages(page.children))
    const { highlight } = highlighter
    const html = renderContent(page.children, { highlight, icons: fewIcons() })
    expect(unsafeHtml(html)).toEqual([])
    await expect(breakLines(html)).toMatchFileSnapshot('../testing/expected/kitchen-sink.txt')
  })

  test('shows all its words', () => {
    const file = new URL('../testing/kitchen-sink.mdx', import.meta.url)
    const page = parse('kitchen-sink.mdx', readFileSync(file, 'utf8'))
    const html = renderContent(page.children, plain).replaceAll(/<[^>]*>/g, ' ')
    const words = plainText(page.children).match(/[A-Za-z]{4,}/g) ?? []
    // Alternative texts and kinds stand in attributes, and agents read their part elsewhere.
    const elsewhere = new Set(['boat', 'Framed', 'looks', 'warning', 'agents'])
    expect(words.filter((word) => !html.includes(word) && !elsewhere.has(word))).toEqual([])
  })
})

describe('components', () => {
  test('all show what stands inside them', () => {
    for (const name of COMPONENT_WRITERS.keys()) {
      expect(renderContent([component(name)], plain), name).toContain('inside')
    }
  })

  test('that are not known still show what stands inside them', () => {
    expect(renderContent([component('Unheard')], plain)).toBe('inside')
  })

  test('for agents only are not on the page', () => {
    expect(renderContent([component('Visibility', { for: 'agents' })], plain)).toBe('')
  })

  test('take markup for a prop as well as text', () => {
    const title: readonly PageNode[] = [
      { kind: 'element', tag: 'em', attributes: undefined, children: ['Soft'] },
    ]
    const node: ComponentNode = { ...component('Accordion'), slots: { title } }
    expect(renderContent([node], plain)).toContain('<em>Soft</em>')
  })

  test('never share an id with a heading or with each other', () => {
    const html = render(
      '<Accordion title="Same">a</Accordion>\n\n<Accordion title="Same">b</Accordion>\n\n## Same\n',
    )
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1])
    expect(ids).toEqual(['same-2', 'same-3', 'same'])
  })

  test('of the author that need a browser keep their props as data', () => {
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

describe('links and images', () => {
  test('are resolved by the caller', () => {
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

  test('that run code are left out, whoever put them there', () => {
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

  test('to other sites do not hand over the page', () => {
    expect(render('[a](https://example.com)')).toContain('rel="noopener"')
    expect(render('[a](/b)')).not.toContain('rel=')
  })
})

describe('code', () => {
  test('is not split into lines unless something is said about a line', () => {
    expect(render('```js\na\nb\n```')).toContain('<code>a\nb</code>')
    expect(render('```js {2}\na\nb\n```')).toContain(
      '<span class="line">a\n</span><span class="line highlight">b\n</span>',
    )
  })

  test('that may be folded is, if it is long', () => {
    const long = Array.from({ length: 12 }, () => 'x').join('\n')
    expect(render(`\`\`\`js expandable\n${long}\n\`\`\``)).toContain('oct-folded')
    expect(render(`\`\`\`js expandable\nx\n\`\`\``)).not.toContain('oct-folded')
  })
})
