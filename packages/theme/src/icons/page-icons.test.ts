import { createPageParser } from '@octavo/content'
import { describe, expect, test } from 'vitest'
import { testIcons } from '../../testing/few-icons.ts'
import { unsafeHtml } from '../../testing/unsafe-html.ts'
import { renderContent } from '../content/render-content.ts'
import { escapeHtml } from '../markup/html.ts'

const parse = createPageParser({ read: () => undefined })

function render(mdx: string, library?: string): string {
  const { children } = parse('page.mdx', mdx)
  const highlight = (text: string) => text.split('\n').map(escapeHtml)
  return renderContent(children, { highlight, icons: testIcons(library) })
}

const CREDIT =
  ' data-credit="Font Awesome Free by Fonticons, CC BY 4.0, fontawesome.com/license/free"'
const START = '<svg class="oct-icon" width="16" height="16" aria-hidden="true"'

describe('icons on a page', () => {
  test('the first use of an icon contains its drawing, later ones refer to it', () => {
    expect(render('<Icon icon="rocket" /> and <Icon icon="fa-rocket" />')).toBe(
      `<p>${START} viewBox="0 0 640 640"${CREDIT}><path id="icon:solid-rocket" d="solid rocket"/></svg> and ${START} viewBox="0 0 640 640"><use href="#icon:solid-rocket"/></svg></p>`,
    )
  })

  test('each library is credited once per page', () => {
    const html = render('<Icon icon="rocket" /><Icon icon="book" /><Icon icon="lucide:braces" />')
    expect(html.match(/data-credit/g)).toHaveLength(2)
    expect(html).toContain('data-credit="Lucide, ISC')
  })

  test("an icon can set its own library or style instead of the site's library", () => {
    expect(render('<Icon icon="rocket" />', 'lucide')).toContain('d="lucide rocket"')
    expect(render('<Icon icon="rocket" iconLibrary="tabler" />')).toContain('d="tabler rocket"')
    expect(render('<Icon icon="star" iconType="regular" />')).toContain('d="regular star"')
    expect(render('<Card icon="star" iconType="regular" title="A" />')).toContain(
      'd="regular star"',
    )
    const object = '<Card icon={{ name: "star", style: "regular" }} title="A" />'
    expect(render(object)).toContain('d="regular star"')
  })

  test('an icon has the size and color that the author wrote', () => {
    const html = render('<Icon icon="rocket" size={32} color="#0F766E" className="big" />')
    expect(html).toContain('class="oct-icon big" width="32" height="32" aria-hidden="true"')
    expect(html).toContain('style="width:32px;height:32px;color:#0F766E"')
  })

  test('unsafe colors are omitted and sizes are limited', () => {
    const html = render('<Icon icon="rocket" size={99999} color="red;background:url(//x)" />')
    expect(html).toContain('style="width:512px;height:512px"')
    expect(html).not.toContain('background')
  })

  test('an icon may be an emoji or a file', () => {
    expect(render('<Card icon="🚀" title="A" />')).toContain(
      '<span class="oct-icon oct-emoji" aria-hidden="true">🚀</span>',
    )
    expect(render('<Card icon="/logo.svg" title="A" />')).toContain(
      '<img class="oct-icon" width="16" height="16" aria-hidden="true" src="/logo.svg" alt="" loading="lazy">',
    )
  })

  test('an icon may be markup', () => {
    expect(render('<Card icon={<Icon icon="leaf" />} title="A" />')).toContain(
      `<span class="oct-icon-slot" aria-hidden="true">${START}`,
    )
  })

  test("an author's drawing becomes an image that runs no code", () => {
    const svg = `<svg onload='alert(1)'><script>alert(2)</script></svg>`
    const html = render(`<Icon icon={${JSON.stringify(svg)}} />`)
    expect(unsafeHtml(html)).toEqual([])
    expect(html).toContain('src="data:image/svg+xml,%3Csvg%20xmlns')
    const tinted = render(`<Icon icon={'<svg fill="currentColor"></svg>'} />`)
    expect(tinted).toMatch(
      /<span class="oct-icon oct-mask"[^<>]* style="--oct-mask:url\(&quot;data:image\/svg\+xml,[\w%.-]+&quot;\)"><\/span>/,
    )
  })

  test('a missing icon is not rendered and is reported', () => {
    const missing: string[] = []
    const { children } = parse('page.mdx', '<Card icon="rokcet" title="A" />')
    const html = renderContent(children, {
      highlight: (text) => [text],
      icons: testIcons(),
      onMissingIcon: (name) => missing.push(name),
    })
    expect(html).not.toContain('oct-icon')
    expect(missing).toEqual(['rokcet'])
  })

  test('icons in an island are self-contained, since the browser replaces the island', () => {
    const icon = { kind: 'component', name: 'Icon', slots: undefined, children: [] } as const
    const rocket = { ...icon, props: { icon: 'rocket' } }
    const source = { file: 'a.jsx', name: 'A' }
    const island = { kind: 'island', name: 'A', source, props: {}, slots: undefined } as const
    const html = renderContent([{ ...island, children: [rocket, rocket] }, rocket, rocket], {
      highlight: (text) => [text],
      icons: testIcons(),
    })
    const [inside = '', after = ''] = html.split('</octavo-island>')
    expect(inside.match(/<path d="solid rocket"\/>/g)).toHaveLength(2)
    expect(inside).not.toContain('id=')
    expect(after.match(/id="icon:solid-rocket"/g)).toHaveLength(1)
    expect(after.match(/<use /g)).toHaveLength(1)
  })
})
