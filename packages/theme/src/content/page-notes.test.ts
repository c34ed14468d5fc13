/**
 * Tests facts that are recorded while a page is written. A search in the finished HTML would be
 * misled by these inputs.
 */
import { createPageParser } from '@octavo/content'
import { describe, expect, test } from 'vitest'
import { escapeHtml } from '../markup/html.ts'
import { PageNotes } from './page-notes.ts'
import { renderContent } from './render-content.ts'

const parse = createPageParser({ read: () => undefined })

function render(mdx: string): { readonly html: string; readonly notes: PageNotes } {
  const notes = new PageNotes()
  const html = renderContent(parse('page.mdx', mdx).children, {
    highlight: (text) => text.split('\n').map(escapeHtml),
    notes,
  })
  return { html, notes }
}

function notesOf(mdx: string): PageNotes {
  return render(mdx).notes
}

describe('ids', () => {
  test.each([
    ['## A heading', ['a-heading']],
    ['## Größe & Maße', ['größe--maße']],
    ['<div id={`a"b&c<d>\'é`}>x</div>', ['a"b&c<d>\'é']],
    ['<a name="old-place" />', ['old-place']],
    ['<Accordion title="More" id="x&quot;y">a</Accordion>', ['x"y']],
    ['<Steps><Step title="Do it">a</Step></Steps>', ['do-it']],
    ['<Update label="May 2026">a</Update>', ['may-2026']],
    ['<ParamField query="limit" type="number">a</ParamField>', ['param-limit']],
    ['<Tabs><Tab title="npm">\n### In a tab\n</Tab></Tabs>', ['tabs-1-1', 'npm', 'in-a-tab']],
    ['<Card href="/x">No title</Card>', ['card']],
    ['<Tooltip tip="What it means">word</Tooltip>', ['tip']],
    ['<Card title={<b id="in-a-prop">T</b>}>x</Card>', ['in-a-prop']],
    ['<svg><path id="drawing" d="M0 0" /></svg>', ['drawing']],
  ])('the content %s has the IDs %j', (mdx, ids) => {
    expect(notesOf(mdx).ids).toEqual(ids)
  })

  test.each([
    '```html\n<div id="sample">\n```',
    'A text that says ` id="text"` and `id="code"`.',
    '<div title={` id="title"`}>x</div>',
    '<Visibility for="agents"><div id="unseen">x</div></Visibility>',
  ])('the content %s has no IDs', (mdx) => {
    expect(notesOf(mdx).ids).toEqual([])
  })

  test('a duplicate ID is recorded once', () => {
    expect(notesOf('<b id="a">x</b> <b id="a">y</b>').ids).toEqual(['a'])
  })
})

describe('features', () => {
  test.each([
    '```mermaid\ngraph TD\n```',
    '```Mermaid\ngraph TD\n```',
    '<Mermaid chart="graph TD" />',
    '<Tabs><Tab title="Drawn">\n```mermaid\ngraph TD\n```\n</Tab></Tabs>',
    '<Accordion title={<Mermaid chart="graph TD" />}>x</Accordion>',
  ])('the content %s needs the diagram feature', (mdx) => {
    expect(notesOf(mdx).features).toEqual(['diagram'])
  })

  test.each([
    '```md\n<pre class="oct-mermaid" data-oct="mermaid">\n```',
    'About `mermaid` and ` data-oct="mermaid"`.',
    '<Visibility for="agents">\n```mermaid\ngraph TD\n```\n</Visibility>',
  ])('the content %s does not need the diagram feature', (mdx) => {
    expect(notesOf(mdx).features).toEqual([])
  })
})

describe('highlighted code', () => {
  /** Returns the HTML at the recorded positions of a page's code. */
  function codeIn(mdx: string): readonly (readonly [language: string, html: string])[] {
    const { html, notes } = render(mdx)
    return notes.code.map(({ language, start, length }) => [
      language,
      html.slice(start, start + length),
    ])
  }

  test('code is recorded at its own position, even after identical text', () => {
    expect(codeIn('a < b\n\n`a < b`\n\n```js\na < b\nc\n```\n\n```ts\na < b\n```')).toEqual([
      ['js', 'a &lt; b\nc'],
      ['ts', 'a &lt; b'],
    ])
  })

  test('code is recorded inside code groups and tabs', () => {
    const group = '<CodeGroup>\n```js One\none\n```\n```py Two\ntwo\n```\n</CodeGroup>'
    expect(codeIn(`<Tabs><Tab title="T">\n${group}\n</Tab></Tabs>`)).toEqual([
      ['js', 'one'],
      ['py', 'two'],
    ])
  })

  test.each([
    ['without a language', '```\na\n```'],
    ['with numbers', '```js lines\na\n```'],
    ['with marked lines', '```js {1}\na\n```'],
    ['of a diagram', '```mermaid\na\n```'],
  ])('the position of a code block %s is not recorded', (_, mdx) => {
    expect(codeIn(mdx)).toEqual([])
  })
})
