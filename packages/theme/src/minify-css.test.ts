import { describe, expect, test } from 'vitest'
import { minifyCss } from './minify-css.ts'

describe('a minified stylesheet', () => {
  test('has no comments and no needless space', () => {
    const css = '/* Why. */\na,\nb > c {\n  color: red;\n  margin: 0 auto;\n}\n'
    expect(minifyCss(css)).toBe('a,b>c{color:red;margin:0 auto}')
  })

  test('keeps the space that means something', () => {
    expect(minifyCss('a :hover { x: calc(1px + 2px) }')).toBe('a :hover{x:calc(1px + 2px)}')
    expect(minifyCss('.a .b:not(.c) { y: z }')).toBe('.a .b:not(.c){y:z}')
    expect(minifyCss('@media (width < 60rem) { a { b: c; } }')).toBe(
      '@media (width < 60rem){a{b:c}}',
    )
  })

  test('leaves strings and addresses alone', () => {
    const css = 'a { content: "/* x */  ;}"; background: url(/a  b.png); }'
    expect(minifyCss(css)).toBe('a{content:"/* x */  ;}";background:url(/a  b.png)}')
  })
})
