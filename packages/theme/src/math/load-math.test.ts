import { describe, expect, test } from 'vitest'
import { unsafeHtml } from '../../testing/unsafe-html.ts'
import { loadMath, MATH_LIMITS } from './load-math.ts'

const math = await loadMath()

function html(text: string): string {
  const rendered = math(text, false)
  return rendered.kind === 'set' ? rendered.html : `refused: ${rendered.reason}`
}

describe('rendered formulas', () => {
  test('a formula becomes MathML with its source as an annotation', () => {
    expect(html('x^2')).toBe(
      '<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
    )
  })

  test('a display formula is a block', () => {
    expect(math('x', true)).toMatchObject({ html: expect.stringContaining('display="block"') })
  })

  test('letters with a math variant become Unicode characters', () => {
    expect(html('\\mathbb{R} \\mathbf{x} \\mathcal{L} \\mathfrak{g}')).toContain('ℝ')
    expect(html('\\mathbb{A1}')).toContain('𝔸')
    expect(html('\\mathbf{x}')).toContain('𝐱')
    expect(html('\\mathcal{L}')).toContain('ℒ')
  })
})

describe('rejected formulas', () => {
  test('an invalid formula is rejected with a reason', () => {
    expect(html('\\frac{1}')).toMatch(/^refused: Unexpected end of input/)
    expect(html('\\nothing')).toBe(
      'refused: Undefined control sequence: \\nothing at position 1: \\nothing',
    )
  })

  test('a formula that is too long is rejected', () => {
    const { textLengthMax } = MATH_LIMITS
    expect(html('x'.repeat(textLengthMax))).toContain('<math>')
    expect(html('x'.repeat(textLengthMax + 1))).toBe(
      `refused: it is longer than ${textLengthMax} characters`,
    )
  })

  test('a formula with exponentially expanding macros is rejected', () => {
    expect(html('\\def\\a{\\a\\a}\\a')).toMatch(/^refused: Too many expansions/)
    expect(html(`\\def\\a{${'x'.repeat(600)}}\\a\\a\\a`)).toMatch(/^refused: it is longer than 500/)
    expect(html('\\def\\a{xx}\\edef\\a{\\a\\a}'.padEnd(490, '\\edef\\a{\\a\\a}'))).toMatch(
      /^refused/,
    )
  })

  test('a deeply nested formula does not crash', () => {
    expect(html(`${'{'.repeat(1900)}x${'}'.repeat(1900)}`)).toMatch(/^refused|^<math>/)
  })
})

describe('hostile formulas', () => {
  test.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{javascript:alert(1)}',
    '\\includegraphics{//evil.example/x.png}',
    '\\htmlData{onclick=alert(1)}{x}',
    '\\htmlStyle{background: url(//evil.example)}{x}',
    '\\text{</annotation><script>alert(1)</script>}',
    '\\color{red;background:url(x)}{x}',
    '<img src=x onerror=alert(1)>',
  ])('the formula %s runs no code', (text) => {
    expect(unsafeHtml(html(text).replace(/^refused.*/s, ''))).toEqual([])
    expect(html(text)).not.toMatch(/evil\.example[^<]*"|javascript:[^<]*"/)
  })
})
