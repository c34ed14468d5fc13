import { CONFIG_DEFAULTS, type Config } from '@octavo/model'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, luminance, mix, type Rgb } from './color.ts'
import { HUES, type SchemeName } from './look-neutrals.ts'
import { type Palette, sitePalette } from './site-palette.ts'

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)
const colors = fc.record({ primary: hex, light: hex, dark: hex }, { requiredKeys: ['primary'] })
const theme = fc.constantFrom<Config['theme']>('mint', 'maple', 'almond', 'willow', 'linden')
const SCHEMES: readonly SchemeName[] = ['light', 'dark']

const of = (palette: Palette, name: string): Rgb => palette[name] ?? [0, 0, 0]
const GROUNDS = ['page', 'raised', 'sunken']
const TEXTS = ['text', 'strong', 'muted', 'primary', ...Object.keys(HUES)]

function expectReadable(palette: Palette): void {
  for (const ground of GROUNDS) {
    for (const text of TEXTS) {
      const ratio = contrast(of(palette, text), of(palette, ground))
      expect(ratio, `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  }
  expect(contrast(of(palette, 'primary'), of(palette, 'tint'))).toBeGreaterThanOrEqual(4.5)
  expect(contrast(of(palette, 'on-button'), of(palette, 'button'))).toBeGreaterThanOrEqual(4.5)
}

describe('contrast for arbitrary colors', () => {
  test('text is readable in every theme for any author colors', () => {
    fc.assert(
      fc.property(colors, theme, (colors, theme) => {
        const palette = sitePalette({ ...CONFIG_DEFAULTS, colors, theme } as unknown as Config)
        for (const scheme of SCHEMES) expectReadable(palette[scheme])
      }),
    )
  })

  test('text is readable on any background, even a dark one in light mode', () => {
    fc.assert(
      fc.property(colors, hex, hex, (colors, light, dark) => {
        const background = { color: { light, dark } }
        const palette = sitePalette({
          ...CONFIG_DEFAULTS,
          colors,
          background,
        } as unknown as Config)
        for (const scheme of SCHEMES) expectReadable(palette[scheme])
      }),
    )
  })

  test('semantic colors are readable on their own tints in every theme', () => {
    for (const theme of ['mint', 'maple', 'almond', 'willow', 'linden'] as const) {
      const palette = sitePalette({ ...CONFIG_DEFAULTS, theme } as unknown as Config)
      for (const scheme of SCHEMES) {
        for (const hue of Object.keys(HUES)) {
          const color = of(palette[scheme], hue)
          const ground = mix(of(palette[scheme], 'raised'), { color, share: 0.14 })
          expect(contrast(color, ground), `${theme} ${scheme} ${hue}`).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  })
})

describe('author colors', () => {
  test('a readable color is not changed', () => {
    const colors = { primary: '#0F766E', light: '#2DD4BF', dark: '#115E59' }
    const { light, dark } = sitePalette({ ...CONFIG_DEFAULTS, colors } as unknown as Config)
    expect(light.primary).toEqual([15, 118, 110])
    expect(dark.primary).toEqual([45, 212, 191])
    expect(light.button).toEqual([17, 94, 89])
    expect(light['on-button']).toEqual([255, 255, 255])
  })

  test('an unreadable color is changed minimally and keeps its hue', () => {
    const colors = { primary: '#ffd400' }
    const { light } = sitePalette({ ...CONFIG_DEFAULTS, colors } as unknown as Config)
    const [red, green, blue] = of(light, 'primary')
    expect(contrast(of(light, 'primary'), of(light, 'sunken'))).toBeLessThan(5.6)
    expect(red).toBeGreaterThan(green)
    expect(green).toBeGreaterThan(blue)
    // A yellow button stays yellow, and its label is black.
    expect(light.button).toEqual([255, 212, 0])
    expect(light['on-button']).toEqual([0, 0, 0])
  })

  test('a button that is too similar to the page gets the readable primary color', () => {
    const colors = { primary: '#000000' }
    const { dark } = sitePalette({ ...CONFIG_DEFAULTS, colors } as unknown as Config)
    expect(luminance(of(dark, 'button'))).toBeGreaterThan(0.2)
  })
})
