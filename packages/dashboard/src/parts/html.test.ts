import { describe, expect, test } from 'vitest'
import { html } from './html.ts'

describe('a line break in a template', () => {
  test.each([
    [
      'next to a tag is not in the page',
      html`<p>
      <b>a</b>
      c
    </p>`,
      '<p><b>a</b>c</p>',
    ],
    [
      'next to a part is not in the page',
      html`
      ${'a'}
      ${'b'}
    `,
      'ab',
    ],
    [
      'between words is a space',
      html`one
      two`,
      'one two',
    ],
    [
      'between attributes is a space',
      html`<input
      id="${'a'}"
      name="b"
    >`,
      '<input id="a" name="b">',
    ],
  ])('%s', (_, page, text) => {
    expect(page.toString()).toBe(text)
  })

  test('in a part stays', () => {
    expect(html`<pre>${'a\n  <b>'}</pre>`.toString()).toBe('<pre>a\n  &lt;b&gt;</pre>')
  })

  test('spaces on one line stay', () => {
    expect(html`${'a'} <b>c</b> d`.toString()).toBe('a <b>c</b> d')
  })
})
