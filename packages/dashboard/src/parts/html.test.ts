import { describe, expect, test } from 'vitest'
import { html } from './html.ts'

describe('line breaks in HTML templates', () => {
  test.each([
    [
      'next to a tag is removed',
      html`<p>
      <b>a</b>
      c
    </p>`,
      '<p><b>a</b>c</p>',
    ],
    [
      'next to a part is removed',
      html`
      ${'a'}
      ${'b'}
    `,
      'ab',
    ],
    [
      'between words becomes a space',
      html`one
      two`,
      'one two',
    ],
    [
      'between attributes becomes a space',
      html`<input
      id="${'a'}"
      name="b"
    >`,
      '<input id="a" name="b">',
    ],
  ])('a line break %s', (_, page, text) => {
    expect(page.toString()).toBe(text)
  })

  test('a line break inside an interpolated value of a template is kept', () => {
    expect(html`<pre>${'a\n  <b>'}</pre>`.toString()).toBe('<pre>a\n  &lt;b&gt;</pre>')
  })

  test('spaces within a line of a template are kept', () => {
    expect(html`${'a'} <b>c</b> d`.toString()).toBe('a <b>c</b> d')
  })
})
