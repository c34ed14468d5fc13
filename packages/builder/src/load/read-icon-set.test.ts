import { ICON_SETS, PAID_ICONS } from '@octavo/theme'
import { describe, expect, test } from 'vitest'
import { openIconLibrary } from './load-icons.ts'
import { readIconSet } from './read-icon-set.ts'

const DRAWN =
  /^(?:<\/?(?:path|g|circle|rect|ellipse|line|poly(?:line|gon)|defs|use)(?: [a-z-]+="[^"<>]*")*\/?>)+$/

describe('installed icon sets', () => {
  test.each(ICON_SETS)(
    'the icon set %s contains only drawings that run no code and load nothing',
    (name) => {
      const { icons, aliases = {} } = readIconSet(name)
      expect(Object.keys(icons).length).toBeGreaterThan(200)
      for (const [id, { body }] of Object.entries(icons)) {
        expect(id).toMatch(/^[a-z\d-]+$/)
        expect(body, id).toMatch(DRAWN)
        expect(body, id).not.toMatch(/ (?:on\w+|style|href="[^#])/)
      }
      // A rotated or mirrored alias would not be drawn correctly from the icon's body alone.
      for (const alias of Object.values(aliases)) {
        expect(Object.keys(alias).filter((key) => key !== 'hidden')).toEqual(['parent'])
      }
    },
  )

  test('the icon sets contain every free icon that replaces a paid one', () => {
    const library = openIconLibrary(undefined)
    for (const [paid, { set, name }] of PAID_ICONS) {
      expect(readIconSet(set).icons, `${paid}: ${name}`).toHaveProperty(name)
      expect(library.find(paid)?.id, paid).toBe(`${set}-${name}`)
    }
  })

  test('the icon sets contain the names of Font Awesome 4 and 5', () => {
    const library = openIconLibrary(undefined)
    for (const old of ['home', 'cog', 'search', 'times', 'external-link-alt', 'shield-alt']) {
      expect(library.find(old)?.id, old).toMatch(/^solid-/)
    }
  })
})
