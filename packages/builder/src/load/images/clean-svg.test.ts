import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanSvg } from './clean-svg.ts'

const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const svg = (content: string) => `<svg ${XMLNS} viewBox="0 0 9 9">${content}</svg>`

describe('harmless SVG images', () => {
  test.each([
    '<path d="M0 0"/><g fill="url(#a)"><rect/></g>',
    '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs>',
    '<style>.a{fill:red;filter:url(#b)}</style>',
    '<style><![CDATA[ .a > .b { fill: red } ]]></style>',
    '<image href="data:image/png;base64,AAAA"/><use xlink:href="#a"/>',
    '<a href="https://example.com"><text>x</text></a>',
    '<animate attributeName="opacity" from="0" to="1"/>',
    '<!-- <script> in a comment --><text>1 &lt; 2 &amp; 3</text>',
    '<i:note xmlns:i="http://www.inkscape.org/" i:label="x"/>',
    '<foreignObject><div xmlns="http://www.w3.org/1999/xhtml" style="color:red">Label<br/></div></foreignObject>',
  ])('a harmless SVG image is not changed: %s', (content) => {
    expect(cleanSvg(svg(content))).toBeUndefined()
    expect(cleanSvg(`<?xml version="1.0" encoding="UTF-8"?>\n${svg(content)}`)).toBeUndefined()
    expect(
      cleanSvg(`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">${svg(content)}`),
    ).toBeUndefined()
  })
})

describe('active parts of SVG images', () => {
  test.each([
    ['<script>alert(1)</script><rect/>', '<rect/>', '<script>'],
    ['<s:script xmlns:s="http://www.w3.org/2000/svg">x</s:script>', '', '<script>'],
    ['<script><script>x</script></script><rect/>', '<rect/>', '<script>'],
    ['<rect onclick="alert(1)" x="1"/>', '<rect x="1"/>', 'the attribute onclick'],
    ['<rect OnClick="alert(1)"/>', '<rect/>', 'the attribute OnClick'],
    ['<a href="javascript:alert(1)"/>', '<a/>', 'the attribute href'],
    ['<a xlink:href="java&#x09;script:alert(1)"/>', '<a/>', 'the attribute xlink:href'],
    ['<a href="&#106;avascript:x"/>', '<a/>', 'the attribute href'],
    ['<use href="data:image/svg+xml,x#y"/>', '<use/>', 'the attribute href'],
    ['<use href="https://evil.example/x.svg#y"/>', '<use/>', 'the attribute href'],
    ['<image href="https://evil.example/x.png"/>', '<image/>', 'the attribute href'],
    ['<set attributeName="href" to="javascript:x"/>', '', '<set>'],
    ['<animate attributeName="xlink:href" values="x"/>', '', '<animate>'],
    ['<rect fill="url(https://evil.example/x#a)"/>', '<rect/>', 'the attribute fill'],
    ['<rect style="fill:u\\72l(//evil.example/x)"/>', '<rect/>', 'the attribute style'],
    [
      '<style>@import "x.css"; .a{b:url(//x)}</style>',
      '<style> .a{b:none}</style>',
      'URLs in its styles',
    ],
    ['<style><![CDATA[@\\69mport "x";]]></style>', '<style></style>', 'URLs in its styles'],
    ['<iframe xmlns="http://www.w3.org/1999/xhtml" src="x"/>', '', '<iframe>'],
    [
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><b/></body></foreignObject>',
      '<foreignObject></foreignObject>',
      '<body>',
    ],
    [
      '<img xmlns="http://www.w3.org/1999/xhtml" src="//evil.example/x"/>',
      '<img xmlns="http://www.w3.org/1999/xhtml"/>',
      'the attribute src',
    ],
    ['<g xml:base="https://evil.example/"/>', '<g/>', 'the attribute xml:base'],
    ['<handler type="text/ecmascript">x</handler>', '', '<handler>'],
  ])('active content of an SVG image is removed: %s', (content, expected, removed) => {
    expect(cleanSvg(svg(content))).toEqual({ text: svg(expected), removed: [removed] })
  })

  test('an XML stylesheet instruction is removed from an SVG image', () => {
    const text = `<?xml-stylesheet type="text/xsl" href="#x"?>${svg('')}`
    expect(cleanSvg(text)).toEqual({ text: svg(''), removed: ['<?xml-stylesheet?>'] })
  })

  test('text entities are expanded, but markup entities and attribute declarations are removed', () => {
    const names = '<!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY m "&#60;script>x</script>">'
    const attributes = '<!ATTLIST svg onload CDATA "alert(1)">'
    const text = `<!DOCTYPE svg [${names}${attributes}]><svg xmlns="&ns;"><text>&ns;</text></svg>`
    expect(cleanSvg(text)).toEqual({
      text: '<svg xmlns="http://www.w3.org/2000/svg"><text>http://www.w3.org/2000/svg</text></svg>',
      removed: ['entity declarations with markup', 'attribute declarations'],
    })
    const script =
      '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><script/></svg>'
    expect(cleanSvg(script)?.text).toBe('<svg xmlns="http://www.w3.org/2000/svg"></svg>')
  })

  test('the declaration of an encoding that could hide markup is removed', () => {
    const text = `<?xml version="1.0" encoding="UTF-7"?>${svg('')}`
    expect(cleanSvg(text)).toEqual({ text: svg(''), removed: ['the encoding UTF-7'] })
  })

  test('everything after a syntax error in an SVG image is removed', () => {
    expect(cleanSvg(svg('<rect/><path d="M0 0><script>x</script>'))?.text).toMatch(/<rect\/>$/)
    expect(cleanSvg('<!DOCTYPE html><html lang=en><script>x</script>')?.text).toBe(
      '<!DOCTYPE html>',
    )
    expect(cleanSvg('<\0s\0v\0g\0')?.text).toBe('')
  })
})

describe('untrusted SVG images', () => {
  const piece = fc.constantFrom(
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '</svg>',
    '<script>',
    '</script>',
    '<g',
    '>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?xml-stylesheet',
    '?>',
    '<!DOCTYPE svg [',
    ']>',
    '/>',
    ' onload="x"',
    ' href="javascript:x"',
    '&lt;',
    '&#60;',
    '"',
    "'",
    'text',
    '<style>',
    '</style>',
    '<html xmlns="http://www.w3.org/1999/xhtml">',
    '<!ENTITY a "<script/>">',
    '&a;',
  )

  test('a cleaned image contains no script, and cleaning it again does not change it', () => {
    const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const cleaned = cleanSvg(text)?.text ?? text
        const again = cleanSvg(cleaned)
        expect(again?.removed ?? []).toEqual([])
        expect(again?.text ?? cleaned).toBe(cleaned)
      }),
      { numRuns: 3_000 },
    )
  })

  test('an SVG image with very many tags is cleaned in linear time', () => {
    expect(cleanSvg(svg('<g>'.repeat(300_000)))?.removed).toEqual(['<g>'])
  })
})
