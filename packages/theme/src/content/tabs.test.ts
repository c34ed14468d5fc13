/** Tests the HTML of tabs and code groups; the scripts of tabs are tested in a browser. */
import { createPageParser } from '@octavo/content'
import { describe, expect, test } from 'vitest'
import { escapeHtml } from '../markup/html.ts'
import { renderContent } from './render-content.ts'

const parse = createPageParser({ read: () => undefined })

function render(mdx: string): string {
  return renderContent(parse('page.mdx', mdx).children, {
    highlight: (text) => text.split('\n').map(escapeHtml),
  })
}

/** Returns the radio buttons, which determine the visible panel. */
function radios(html: string): readonly string[] {
  return html.match(/<input type="radio"[^>]*>/g) ?? []
}

const PAIR = '<Tab title="npm">one</Tab><Tab title="A &quot;b&quot; <c>">two</Tab>'

describe('tabs', () => {
  test('tabs are radio buttons with one name, and the first is selected', () => {
    expect(radios(render(`<Tabs>${PAIR}</Tabs>`))).toEqual([
      '<input type="radio" name="tabs-1" id="tabs-1-1" value="npm" checked>',
      '<input type="radio" name="tabs-1" id="tabs-1-2" value="A &quot;b&quot; &lt;c&gt;">',
    ])
  })

  test.each([
    ['{1}', 1],
    ['"1"', 1],
    ['{2}', 0],
    ['{-1}', 0],
  ])(
    'a tab group with defaultTabIndex=%s initially shows that tab, or the first if there is no such tab',
    (written, index) => {
      const html = render(`<Tabs defaultTabIndex=${written}>${PAIR}</Tabs>`)
      expect(radios(html).map((radio) => radio.endsWith(' checked>'))).toEqual(
        [0, 1].map((one) => one === index),
      )
    },
  )

  test('tabs with `sync={false}` have no value to synchronize', () => {
    const html = render(`<Tabs sync={false}>${PAIR}</Tabs>`)
    expect(radios(html).every((radio) => radio.includes(' value=""'))).toBe(true)
  })

  test('tab panels have unique IDs, even if their titles are equal', () => {
    const html = render(`<Tabs>${PAIR}</Tabs><Tabs><Tab title="npm" id="own">a</Tab>${PAIR}</Tabs>`)
    const ids = [...html.matchAll(/oct-tab-panel" id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids).toEqual(['npm', 'a-b-c', 'own', 'npm-2', 'a-b-c-2'])
  })

  test('the radio buttons of two tab groups are independent', () => {
    const html = render(`<Tabs>${PAIR}</Tabs><Tabs>${PAIR}</Tabs>`)
    expect(new Set(radios(html).map((radio) => /name="([^"]*)"/.exec(radio)?.[1])).size).toBe(2)
  })
})

const FENCES = '\n\n```bash npm\na\n```\n\n```js\nb\n```\n\n'

describe('code groups', () => {
  test('the tabs of a code group are named by titles, or by languages without titles', () => {
    const html = render(`<CodeGroup>${FENCES}</CodeGroup>`)
    expect(radios(html).map((radio) => /value="([^"]*)"/.exec(radio)?.[1])).toEqual([
      'npm',
      'JavaScript',
    ])
  })

  test('a code group with `dropdown` is marked and labeled for its menu', () => {
    const html = render(`<CodeGroup dropdown>${FENCES}</CodeGroup>`)
    expect(html).toContain(
      'class="oct-tabs oct-code-group oct-tab-menu" aria-label="Code language"',
    )
  })

  test('a code group with one block has no menu', () => {
    const html = render('<CodeGroup dropdown>\n\n```js\nb\n```\n\n</CodeGroup>')
    expect(html).toContain('class="oct-tabs oct-code-group"')
  })
})
