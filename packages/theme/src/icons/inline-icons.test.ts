import { expect, test } from 'vitest'
import { withInlineIcons } from './inline-icons.ts'
import type { SpriteFile } from './render-icon.ts'

const file: SpriteFile = {
  url: '/icons.svg',
  sprite: {
    text: '<svg/>',
    idOf: () => 'book',
    find: (id) =>
      id === 'book' ? { id, viewBox: '0 0 24 24', body: '<path d="M1 1"/>' } : undefined,
    missing: [],
  },
}
const icon = '<svg class="oct-icon" width="16" height="16"><use href="/icons.svg#book"/></svg>'
const drawn =
  '<svg class="oct-icon" width="16" height="16" viewBox="0 0 24 24"><path d="M1 1"/></svg>'

test('the first twelve icons of a page are drawn inline, the others come from the sprite', () => {
  const page = `<a>${icon}</a>`.repeat(14)
  expect(withInlineIcons(page, file)).toBe(
    `<a>${drawn}</a>`.repeat(12) + `<a>${icon}</a>`.repeat(2),
  )
})

test('icons in a closed menu come from the sprite', () => {
  const menu = `<ul id="oct-header-0" popover><li>${icon}</li></ul>`
  expect(withInlineIcons(`${menu}${icon}`, file)).toBe(`${menu}${drawn}`)
})

test('a reference to an icon that the sprite does not have is not changed', () => {
  const other = icon.replace('#book', '#other')
  expect(withInlineIcons(`${other}${icon}`, file)).toBe(`${other}${drawn}`)
})
