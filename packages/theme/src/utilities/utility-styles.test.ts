import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isUtility, utilityStyles } from './utility-styles.ts'

/**
 * Returns the rules of these classes, without the rules that every page with utility classes has.
 */
function rulesOf(...names: readonly string[]): string {
  return utilityStyles(names).replace(/^@layer base\{.*?\}\}@layer octavo-bare\{.*?\}\}/, '')
}

/** Returns the declarations of a class, without its selector. */
function cssOf(name: string): string {
  return /\{([^{}]*)\}/.exec(rulesOf(name))?.[1] ?? ''
}

describe('utility classes', () => {
  test.each([
    ['hidden', 'display:none'],
    ['items-center', 'align-items:center'],
    ['justify-between', 'justify-content:space-between'],
    ['mx-auto', 'margin-left:auto;margin-right:auto'],
    ['-mt-2', 'margin-top:-0.5rem'],
    ['p-0.5', 'padding:0.125rem'],
    ['w-1/2', 'width:50%'],
    ['w-full', 'width:100%'],
    ['max-w-3xl', 'max-width:48rem'],
    ['max-w-[1400px]', 'max-width:1400px'],
    ['h-screen', 'height:100vh'],
    ['grid-cols-3', 'grid-template-columns:repeat(3,minmax(0,1fr))'],
    ['aspect-video', 'aspect-ratio:16/9'],
    ['rounded-xl', 'border-radius:0.75rem'],
    ['rounded-t-lg', 'border-top-left-radius:0.5rem;border-top-right-radius:0.5rem'],
    ['text-sm', 'font-size:0.875rem;line-height:1.25rem'],
    ['text-gray-500', 'color:#6b7280'],
    ['text-white/70', 'color:color-mix(in srgb, #ffffff 70%, transparent)'],
    ['bg-[#0f1117]', 'background-color:#0f1117'],
    ['text-primary', 'color:var(--oct-primary)'],
    ['border-t', 'border-top:1px var(--oct-border-style,solid) var(--oct-line)'],
    ['font-semibold', 'font-weight:600'],
    ['opacity-50', 'opacity:0.5'],
    ['!p-0', 'padding:0!important'],
    ['mint-flex', 'display:flex'],
  ])('the class %s sets %s', (name, css) => {
    expect(cssOf(name)).toBe(css)
  })

  test.each([
    '',
    ' ',
    'card',
    'flexbox',
    'text-',
    'text-gray',
    'text-gray-55',
    'p-4000',
    'p--2',
    '-p',
    'w-1/0',
    'bg-[red]',
    'bg-[url(https://x.test)]',
    'w-[calc(1px+1px)]',
    'w-[1px;color:red]',
    'constructor',
    'toString',
    'text-constructor',
    'loud:flex',
    'bg-white/101',
    'md:',
    ':flex',
    'bg-[#0f1]}*{display:none',
    '</style>',
    'w-[',
    'w-[]',
    `w-[${'1'.repeat(90)}px]`,
  ])('the name %j is not a utility class', (name) => {
    expect(isUtility(name)).toBe(false)
    expect(utilityStyles([name])).toBe('')
  })

  test('a variant applies to a state, a width or a scheme', () => {
    expect(rulesOf('hover:underline')).toBe(
      '.hover\\:underline:hover{text-decoration-line:underline}',
    )
    expect(rulesOf('md:flex')).toBe('@media (min-width:768px){.md\\:flex{display:flex}}')
    expect(rulesOf('2xl:flex')).toContain('.\\32 xl\\:flex{')
    expect(rulesOf('group-hover:block')).toContain('.group:hover .group-')
  })

  test("a dark variant follows the reader's choice, or else the system setting", () => {
    expect(rulesOf('dark:hidden')).toBe(
      '[data-theme=dark] .dark\\:hidden{display:none}@media (prefers-color-scheme:dark){:root:not([data-theme]) .dark\\:hidden{display:none}}',
    )
  })

  test('a general class comes before a specific one, in whatever order a page uses them', () => {
    const order = ['p-4', 'px-2', 'pt-1', 'hover:p-1', 'sm:p-1', 'lg:p-1']
    const css = rulesOf(...order.toReversed())
    const places = order.map((name) => css.indexOf(`.${name.replace(':', '\\:')}`))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThanOrEqual(0)
    expect(rulesOf('border-gray-200', 'border')).toMatch(/border:1px .*border-color/)
  })
})

test('elements with classes have no default margins on a custom page', () => {
  const css = utilityStyles(['mt-4'])
  const reset = css.indexOf(':is(.oct-bare,.not-prose) :where(h1,')
  // The reset comes before the utility class, which overrides it.
  expect(reset).toBeGreaterThanOrEqual(0)
  expect(css.indexOf('.mt-4')).toBeGreaterThan(reset)
})

test('a class name with special characters cannot inject CSS', () => {
  const parts = [
    'w-',
    'bg-',
    '[',
    ']',
    '#fff',
    '12px',
    '<',
    '/',
    '}',
    '{',
    ';',
    'dark:',
    'md:',
    '\\',
  ]
  const name = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...parts, 'flex', 'text-', 'url(', '"', '&'), { maxLength: 8 }),
  )
  fc.assert(
    fc.property(name, (written) => {
      const css = utilityStyles([typeof written === 'string' ? written : written.join('')])
      expect(css).not.toMatch(/[<"]|url|import|expression/)
      expect(css.replaceAll(/[^{]/g, '')).toHaveLength(css.replaceAll(/[^}]/g, '').length)
    }),
  )
})
