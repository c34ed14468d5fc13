import type { Config } from '@octavo/model'
import { contrast, parseHex, printHex } from './color.ts'
import { TEXT_CONTRAST_MIN } from './readable-color.ts'
import { sitePalette } from './site-palette.ts'

export type ChangedColor = {
  readonly key: 'primary' | 'light'
  readonly scheme: 'light' | 'dark'
  readonly written: string
  readonly used: string
  /** True if the color is readable on the page itself, but not on tinted or shaded parts. */
  readonly isReadableOnPage: boolean
}

/**
 * Returns the author's colors that are not readable on their backgrounds, with the text colors that
 * replace them.
 */
export function changedColors(config: Config): readonly ChangedColor[] {
  const { colors, appearance } = config
  const palette = sitePalette(config)
  const candidates: readonly Omit<ChangedColor, 'used' | 'isReadableOnPage'>[] = [
    { key: 'primary', scheme: 'light', written: colors.primary },
    colors.light === undefined
      ? { key: 'primary', scheme: 'dark', written: colors.primary }
      : { key: 'light', scheme: 'dark', written: colors.light },
  ]
  return candidates.flatMap(({ key, scheme, written }) => {
    // If the site has only one color scheme, readers never see the other one.
    const isOnly = appearance?.strict === true && appearance.default !== 'system'
    if (isOnly && appearance.default !== scheme) return []
    const color = parseHex(written)
    const { primary: used, page } = palette[scheme]
    if (color === undefined || used === undefined || printHex(color) === printHex(used)) return []
    const isReadableOnPage = page !== undefined && contrast(color, page) >= TEXT_CONTRAST_MIN
    return [{ key, scheme, written, used: printHex(used), isReadableOnPage }]
  })
}
