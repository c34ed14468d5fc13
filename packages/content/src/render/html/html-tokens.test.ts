import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readHtmlTokens } from './html-tokens.ts'

/**
 * Returns tokens as text: tags in brackets, with `=value` after each attribute, and unchanged text.
 */
function print(html: string): string {
  return readHtmlTokens(html)
    .map((token) => {
      if (token.kind === 'text') return token.text
      if (token.kind === 'close') return `[/${token.tag}]`
      const attributes = token.attributes.map(([name, value]) =>
        value === true ? ` ${name}` : ` ${name}=${value}`,
      )
      return `[${token.tag}${attributes.join('')}${token.isClosed ? ' /' : ''}]`
    })
    .join('')
}

describe('HTML tokens', () => {
  test.each([
    ['<b>a</b>', '[b]a[/b]'],
    ['<br/>', '[br /]'],
    ['<a href=x/>', '[a href=x/]'],
    [`<a b="c" d='e' f=g h i="">`, '[a b=c d=e f=g h i=]'],
    ['<linearGradient viewBox="0 0">', '[linearGradient viewBox=0 0]'],
    ['a &lt;b&gt; &alpha;&#945;&#x3B1;', 'a <b> ααα'],
    ['<a href="?a=1&copy=2&amp;b">', '[a href=?a=1&copy=2&b]'],
    ['a<!-- <b> -->c<!doctype html>d', 'acd'],
    ['<?php echo 1 ?>a', 'a'],
    ['<script>a < "</b>" &amp;</script>b', '[script]a < "</b>" &amp;[/script]b'],
    ['<textarea><b>&amp;</textarea>', '[textarea]<b>&[/textarea]'],
  ])('the HTML %s is tokenized as %s', (html, tokens) => {
    expect(print(html)).toBe(tokens)
  })

  test.each(['a < b', 'a <', '< b>', '<1>', '<div class="a', 'a<b c', '&unknown;', 'AT&T', '&#'])(
    'the HTML %s is text because it contains no complete tag',
    (html) => {
      expect(print(html)).toBe(html)
    },
  )

  test('an invalid character reference becomes a replacement character', () => {
    expect(print('&#0;&#xD800;&#x110000;')).toBe('\ufffd\ufffd\ufffd')
  })

  test('the offset of a tag is that of its opening bracket', () => {
    const offsets = readHtmlTokens('a &amp; <b> c <i d="e">').flatMap((token) =>
      token.kind === 'open' ? [token.offset] : [],
    )
    expect(offsets).toEqual([8, 14])
  })
})

test('any HTML can be tokenized, and text outside of tags is kept', () => {
  const part = fc.constantFrom('<', '>', '</', '/>', '<!--', '-->', '"', "'", '=', '&', ';', ' a ')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const html = parts.join('')
      const text = readHtmlTokens(html)
        .map((token) => (token.kind === 'text' ? token.text : ''))
        .join('')
      if (!html.includes('<')) expect(text).toBe(html)
      expect(text.length).toBeLessThanOrEqual(html.length)
    }),
  )
})

test('tokenizing HTML takes linear time', () => {
  const began = performance.now()
  for (const part of ['<a ', '<a b="', '<!--', '</a', '&amp', '<script>', '<', '<a b=c ']) {
    readHtmlTokens(part.repeat(20_000))
  }
  expect(performance.now() - began).toBeQuick(2_000)
})
