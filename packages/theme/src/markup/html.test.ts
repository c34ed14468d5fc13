import { describe, expect, test } from 'vitest'
import { escapeHtml, html, markup } from './html.ts'

describe('html', () => {
  test('html escapes interpolated text', () => {
    expect(`${html`<p>${'<b> & "quotes"'}</p>`}`).toBe('<p>&lt;b&gt; &amp; &quot;quotes&quot;</p>')
  })

  test('text in a quoted attribute is escaped, so that it cannot end the attribute', () => {
    const url = '/a?b=1&c="><script>alert(1)</script>'
    expect(`${html`<a href="${url}">x</a>`}`).toBe(
      '<a href="/a?b=1&amp;c=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</a>',
    )
  })

  test('html inserts markup unchanged, also nested and in lists', () => {
    const items = ['a', 'b<'].map((name) => html`<li>${name}</li>`)
    expect(`${html`<ul>${items}</ul>`}`).toBe('<ul><li>a</li><li>b&lt;</li></ul>')
    expect(`${html`${[html`<b>1</b>`, ['<', [html`<i>2</i>`]]]}`}`).toBe('<b>1</b>&lt;<i>2</i>')
  })

  test('html omits undefined, null and false, but prints numbers', () => {
    expect(`${html`[${undefined}${null}${false}${0}${12}]`}`).toBe('[012]')
  })

  test('html rejects an object that imitates markup', () => {
    const fake = { toString: () => '<script>' } as unknown as string
    expect(() => `${html`${fake}`}`).toThrow()
  })

  test('existing escapes in a text are escaped again', () => {
    expect(escapeHtml('&amp;lt;')).toBe('&amp;amp;lt;')
    expect(`${html`${markup('&amp;')}`}`).toBe('&amp;')
  })
})
