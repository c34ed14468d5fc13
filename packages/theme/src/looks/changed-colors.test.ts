import { CONFIG_DEFAULTS, type Config } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { changedColors } from './changed-colors.ts'

const changed = (colors: Config['colors']) =>
  changedColors({ ...CONFIG_DEFAULTS, colors } as unknown as Config)

describe('colors that had to be changed', () => {
  test('are none where all can be read', () => {
    expect(changed({ primary: '#0F766E', light: '#2DD4BF' })).toEqual([])
  })

  test('are told with the key, the page and what is used instead', () => {
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

  test('are none of a look that no reader sees', () => {
    const colors = { primary: '#ffd400', light: '#ffd400' }
    const config = { ...CONFIG_DEFAULTS, colors, appearance: { default: 'dark', strict: true } }
    expect(changedColors(config as unknown as Config)).toEqual([])
  })

  test('tell apart what the page itself would do for', () => {
    expect(changed({ primary: '#0060FF', light: '#2DD4BF' })).toMatchObject([
      { key: 'primary', isReadableOnPage: true },
    ])
  })
})
