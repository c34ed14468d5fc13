import { gzipSync } from 'node:zlib'
import { baseStyleFiles, partStyleFiles, STYLE_PARTS } from '@octavo/theme'
import { describe, expect, test } from 'vitest'
import { compileStyles } from './compile-styles.ts'

const LOOKS = ['mint', 'maple', 'almond', 'willow', 'linden'] as const
/** Maximum compressed bytes of the common stylesheet. */
const BASE_BYTES_MAX = 11_600
/** Maximum compressed bytes of a part. */
const PART_BYTES_MAX = 4_200

const styles = await compileStyles()
const sizeOf = (names: readonly string[]) =>
  gzipSync(names.map((name) => styles[name]).join('\n'), { level: 9 }).length

describe('compiled stylesheets', () => {
  test.each(LOOKS)(
    'the common stylesheet of the theme %s does not exceed its size limit',
    (look) => {
      expect(sizeOf(baseStyleFiles(look))).toBeLessThan(BASE_BYTES_MAX)
    },
  )

  test.each(STYLE_PARTS)('the stylesheet of the part %s does not exceed its size limit', (part) => {
    for (const look of LOOKS)
      expect(sizeOf(partStyleFiles(part, look)), look).toBeLessThan(PART_BYTES_MAX)
  })

  test('compiled stylesheets contain no comments and no line breaks', () => {
    for (const [name, css] of Object.entries(styles)) expect(css, name).not.toMatch(/\/\*|\n/)
  })

  test('modern CSS features in stylesheets are not transformed', () => {
    const all = Object.values(styles).join('')
    for (const part of ['light-dark(', 'color-mix(in srgb,', '@media(width<60rem)', ':has('])
      expect(all).toContain(part)
  })

  test('stylesheets are compiled to the same bytes every time', async () => {
    expect(await compileStyles()).toEqual(styles)
  })
})
