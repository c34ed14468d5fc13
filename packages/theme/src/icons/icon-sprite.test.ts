import { describe, expect, test } from 'vitest'
import { testIcons } from '../../testing/few-icons.ts'
import { networkIcon, type WrittenIcon } from './frame-icons.ts'
import { createIconSprite } from './icon-sprite.ts'
import { renderIcon } from './render-icon.ts'

function spriteOf(icons: readonly WrittenIcon[]) {
  return createIconSprite(
    icons.map((icon) => ({ icon, page: undefined })),
    testIcons(),
  )
}

describe('icon sprite of a site', () => {
  test('the sprite contains each icon once, even if its name is written in different ways', () => {
    const { text } = spriteOf(['rocket', 'fa-rocket', { name: 'rocket', style: 'solid' }, 'github'])
    expect(text).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg">\n<!-- Font Awesome Free by Fonticons, CC BY 4.0, fontawesome.com/license/free -->\n<symbol id="brands-github" viewBox="0 0 640 640"><path d="brands github"/></symbol>\n<symbol id="solid-rocket" viewBox="0 0 640 640"><path d="solid rocket"/></symbol>\n</svg>\n',
    )
  })

  test('the sprite does not depend on the order of the navigation', () => {
    expect(spriteOf(['rocket', 'book']).text).toBe(spriteOf(['book', 'rocket']).text)
  })

  test('the sprite credits only the libraries that it uses', () => {
    const { text } = spriteOf(['arrow-right', 'plant-2'])
    expect(text).toContain('Lucide')
    expect(text).toContain('Tabler')
    expect(text).not.toContain('Font Awesome')
  })

  test('the sprite is empty for a site without named icons', () => {
    expect(spriteOf([]).text).toBe('')
    expect(spriteOf(['/logo.svg', '🚀']).text).toBe('')
  })

  test('the sprite reports missing icons', () => {
    const { missing } = spriteOf(['rocket', 'rokcet'])
    expect(missing).toEqual([{ icon: 'rokcet', page: undefined }])
  })
})

describe('icons around the content', () => {
  const sprite = spriteOf(['rocket', 'rokcet'])
  const file = { url: '/_octavo/icons-1.svg', sprite }
  const render = (icon: WrittenIcon) => renderIcon(icon, file)?.toString()

  test('a named icon refers to the sprite', () => {
    expect(render('rocket')).toBe(
      '<svg class="oct-icon" width="16" height="16" aria-hidden="true"><use href="/_octavo/icons-1.svg#solid-rocket"/></svg>',
    )
  })

  test('an unknown icon is not rendered', () => {
    expect(render('rokcet')).toBeUndefined()
    expect(renderIcon('rocket', undefined)).toBeUndefined()
  })

  test('an icon may be a file, emoji or drawing, and runs no code', () => {
    expect(render('/a"b.svg')).toContain('src="/a&quot;b.svg"')
    expect(render('🚀')).toContain('>🚀</span>')
    expect(render('<svg onload="alert(1)"></svg>')).toMatch(/^<img [^<>]* src="data:image[^<>"]*"/)
    expect(render('<script>alert(1)</script>')).toBeUndefined()
    expect(render('data:text/html,<script>')).toBeUndefined()
  })
})

test('the icon of a social network is its logo, or a globe for an unknown network', () => {
  expect(networkIcon('x')).toMatchObject({ name: 'x-twitter', style: 'brands' })
  expect(networkIcon('github')).toMatchObject({ name: 'github', style: 'brands' })
  expect(networkIcon('myspace')).toMatchObject({ name: 'earth-americas' })
  expect(networkIcon('constructor')).toMatchObject({ name: 'earth-americas' })
})
