import { CONFIG_DEFAULTS, type Config } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { changedColors } from './changed-colors.ts'

const changed = (colors: Config['colors']) =>
  changedColors({ ...CONFIG_DEFAULTS, colors } as unknown as Config)

describe('changed colors', () => {
  test('readable colors are not changed', () => {
    expect(changed({ primary: '#0F766E', light: '#2DD4BF' })).toEqual([])
  })

  test('a changed color is reported with its key, scheme and replacement', () => {
    expect(changed({ primary: '#ffd400', light: '#2DD4BF' })).toEqual([
      {
        key: 'primary',
        scheme: 'light',
        written: '#ffd400',
        isReadableOnPage: false,
        used: expect.stringMatching(/^#/),
      },
    ])
    expect(changed({ primary: '#0F766E', light: '#111111' })[0]?.key).toBe('light')
  })

  test('colors of an unused scheme are not reported', () => {
    const colors = { primary: '#ffd400', light: '#ffd400' }
    const config = { ...CONFIG_DEFAULTS, colors, appearance: { default: 'dark', strict: true } }
    expect(changedColors(config as unknown as Config)).toEqual([])
  })

  test('a color that is readable only on the page background is reported as such', () => {
    expect(changed({ primary: '#0060FF', light: '#2DD4BF' })).toMatchObject([
      { key: 'primary', isReadableOnPage: true },
    ])
  })
})
