/** Facts that are noted while a page is written, each from input that would mislead a search in HTML. */
import { createPageParser } from '@octavo/content'
import { describe, expect, test } from 'vitest'
import { escapeHtml } from '../html.ts'
import { PageNotes } from './page-notes.ts'
import { renderContent } from './render-content.ts'

const parse = createPageParser({ read: () => undefined })

function notesOf(mdx: string): PageNotes {
  const notes = new PageNotes()
  renderContent(parse('page.mdx', mdx).children, {
    highlight: (text) => text.split('\n').map(escapeHtml),
    notes,
  })
  return notes
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
  ])('%s has %j', (mdx, ids) => {
    expect(notesOf(mdx).ids).toEqual(ids)
  })

  test.each([
    '```html\n<div id="sample">\n```',
    'A text that says ` id="text"` and `id="code"`.',
    '<div title={` id="title"`}>x</div>',
    '<Visibility for="agents"><div id="unseen">x</div></Visibility>',
  ])('%s has none', (mdx) => {
    expect(notesOf(mdx).ids).toEqual([])
  })

  test('one that stands twice is noted once', () => {
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
  ])('%s is a diagram', (mdx) => {
    expect(notesOf(mdx).features).toEqual(['diagram'])
  })

  test.each([
    '```md\n<pre class="oct-mermaid" data-oct="mermaid">\n```',
    'About `mermaid` and ` data-oct="mermaid"`.',
    '<Visibility for="agents">\n```mermaid\ngraph TD\n```\n</Visibility>',
  ])('%s is none', (mdx) => {
    expect(notesOf(mdx).features).toEqual([])
  })
})
